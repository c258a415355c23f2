//! Small files of many formats, of our own making, that can be repeated to any length. Owns how a file of each ending
//! is put together; what the product makes of them is for others to see.

mod documents;
mod office;
pub(crate) mod prose;
mod strings;

/// Tells how a file is made of a head, a body that repeats and a tail. `{n}` becomes the number of the repetition.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// Name that the file would have.
    pub name: &'static str,
    pub(crate) head: &'static str,
    pub(crate) body: &'static str,
    /// Stands between two bodies.
    pub(crate) between: &'static str,
    pub(crate) tail: &'static str,
    pub(crate) wrapping: Wrapping,
}

/// Says what lies around the text.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Wrapping {
    /// Nothing: the text is the file.
    Text,
    /// A package in which the text is one member.
    Package(fn(&str) -> Vec<u8>),
}

impl Sample {
    /// Makes a sample of text.
    const fn text(name: &'static str, [head, body, between, tail]: [&'static str; 4]) -> Self {
        Self {
            name,
            head,
            body,
            between,
            tail,
            wrapping: Wrapping::Text,
        }
    }

    /// Makes a file with so many bodies.
    pub fn repeated(&self, n: usize) -> Vec<u8> {
        let text = self.repeated_text(n);
        match self.wrapping {
            Wrapping::Text => text.into_bytes(),
            Wrapping::Package(pack) => pack(&text),
        }
    }

    /// Makes a file of about so many bytes of text, a package unpacked.
    pub fn sized(&self, n_bytes: usize) -> Vec<u8> {
        let length = (self.body.len() + self.between.len()).max(1);
        self.repeated((n_bytes / length).max(1))
    }

    fn repeated_text(&self, n: usize) -> String {
        let mut text = self.head.to_owned();
        for number in 1..=n {
            if number > 1 {
                text.push_str(self.between);
            }
            text.push_str(&self.body.replace("{n}", &number.to_string()));
        }
        text.push_str(self.tail);
        text
    }
}

/// Lists the samples.
pub fn samples() -> impl Iterator<Item = &'static Sample> {
    documents::SAMPLES
        .iter()
        .chain(strings::SAMPLES)
        .chain(office::SAMPLES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_grows_by_its_body() {
        let sample = Sample::text("a.csv", ["[", "{n}", ", ", "]"]);
        assert_eq!(sample.repeated(3), b"[1, 2, 3]");
        let size = sample.sized(3000).len();
        assert!((2000..6000).contains(&size), "{size}");
    }

    #[test]
    fn names_are_of_one_kind_each() {
        let mut names: Vec<&str> = samples().map(|sample| sample.name).collect();
        let n_names = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), n_names);
    }
}
