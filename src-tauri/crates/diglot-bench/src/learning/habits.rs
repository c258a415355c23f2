//! A translator's eight habits, and a text in which they come up. Owns what the person wants and what a model writes
//! alone; knows nothing of memory.

use crate::samples::prose::{Dice, word};

/// Habits of the translator.
pub(super) const HABITS: [Habit; 8] = [
    Habit::new("term: valve", "the valve", "die Klappe", "die Armatur"),
    Habit::new("term: gasket", "the gasket", "die Packung", "die Dichtung"),
    Habit::new(
        "term: housing",
        "the housing",
        "die Hülle",
        "die Verkleidung",
    ),
    Habit::new("form of address", "you can", "Sie können", "du kannst"),
    Habit::new("number format", "N,NNN", "N.NNN", "N NNN"),
    Habit::new("quotation marks", "\"W\"", "\"W\"", "„W“"),
    Habit::new(
        "preferred phrase",
        "for example",
        "zum Beispiel",
        "beispielsweise",
    ),
    Habit::new("end of sentence", "!", "!", "."),
];

/// Units after which the text has one more of the habits.
const STAGGER: usize = 12;
/// One in so many units has a habit that the text has by then.
const RATE: usize = 5;

/// Holds what one habit is about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Habit {
    pub(super) name: &'static str,
    source: &'static str,
    alone: &'static str,
    wanted: &'static str,
}

impl Habit {
    const fn new(
        name: &'static str,
        source: &'static str,
        alone: &'static str,
        wanted: &'static str,
    ) -> Self {
        Self {
            name,
            source,
            alone,
            wanted,
        }
    }
}

/// Holds one sentence: what is the same in each language, and the habits that it has.
#[derive(Debug, Clone)]
pub(super) struct Unit {
    names: [String; 2],
    number: usize,
    has: [bool; 8],
}

/// Names a language version of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Text {
    Source,
    Target,
}

impl Unit {
    /// Makes the text; the same each time.
    pub(super) fn all(n_units: usize) -> Vec<Self> {
        let mut dice = Dice::new(11);
        let mut units = Vec::with_capacity(n_units);
        for unit in 0..n_units {
            let names = [name(&mut dice), name(&mut dice)];
            let number = 1_000 + dice.below(9_000);
            let mut place = 0;
            let has = [false; 8].map(|_| {
                let has = unit >= place * STAGGER && dice.below(RATE) == 0;
                place += 1;
                has
            });
            units.push(Self { names, number, has });
        }
        units
    }

    /// Lists the habits that the unit has.
    pub(super) fn habits(&self) -> impl Iterator<Item = usize> {
        let places = self.has.iter().enumerate();
        places.filter_map(|(place, has)| has.then_some(place))
    }

    /// Returns the source text.
    pub(super) fn source(&self) -> String {
        self.write(Text::Source, |_| false)
    }

    /// Returns a target in which those habits are kept that `keeps` says.
    pub(super) fn target(&self, keeps: impl Fn(usize) -> bool) -> String {
        self.write(Text::Target, keeps)
    }

    /// Tells whether a target keeps a habit that the unit has.
    pub(super) fn keeps(&self, habit: usize, target: &str) -> bool {
        let wanted = self.form(habit, Text::Target, true).unwrap_or_default();
        let is_mark = !wanted.contains(char::is_alphanumeric);
        if is_mark {
            target.ends_with(&wanted)
        } else {
            target.contains(&wanted)
        }
    }

    fn form(&self, habit: usize, text: Text, keeps: bool) -> Option<String> {
        let known = HABITS.get(habit)?;
        self.has.get(habit).filter(|has| **has)?;
        let form = match (text, keeps) {
            (Text::Source, _) => known.source,
            (Text::Target, true) => known.wanted,
            (Text::Target, false) => known.alone,
        };
        let [_, name] = &self.names;
        if !form.contains("NNN") {
            return Some(form.replace('W', name));
        }
        let (thousands, rest) = (self.number / 1_000, self.number % 1_000);
        let form = form.replace("NNN", &format!("{rest:03}"));
        Some(form.replace('N', &thousands.to_string()))
    }

    fn write(&self, text: Text, keeps: impl Fn(usize) -> bool) -> String {
        let [first, second] = &self.names;
        let is_source = text == Text::Source;
        let of = |habit: usize| self.form(habit, text, keeps(habit));
        let pick = |source: &str, target: &str| {
            let text = if is_source { source } else { target };
            text.to_owned()
        };
        let mut parts = vec![pick("At station", "An Station"), first.clone()];
        parts.push(of(3).unwrap_or_else(|| pick("they", "sie")));
        parts.extend(of(6));
        parts.push(pick("move", "bewegen"));
        parts.extend([0, 1, 2].into_iter().filter_map(of));
        parts.push(pick("near", "bei"));
        parts.push(of(5).unwrap_or_else(|| second.clone()));
        if let Some(number) = of(4) {
            parts.extend([pick("by", "um"), number, pick("steps", "Schritte")]);
        }
        parts.join(" ") + &of(7).unwrap_or_else(|| ";".to_owned())
    }
}

fn name(dice: &mut Dice) -> String {
    let mut letters = word(dice);
    letters.push_str(&word(dice));
    let mut chars = letters.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}
