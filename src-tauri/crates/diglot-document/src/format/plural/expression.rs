//! The expression of a `Plural-Forms` field (GNU gettext manual, "Additional functions for plural
//! forms"): C operators over the number `n`. Must not know what its value means.

/// Expressions nest no deeper than this; a deeper one is refused.
const DEEPEST: usize = 40;
/// Longest expression in bytes.
const LONGEST: usize = 2000;

/// Operators from the loosest to the tightest; of those on one level, the longer come first.
const LEVELS: [&[&str]; 6] = [
    &["||"],
    &["&&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// Computes the expression for a number; `None` when it is malformed.
pub(super) fn value(expression: &str, n: u64) -> Option<u64> {
    let mut reader = Reader {
        rest: expression.trim(),
        n,
        depth: 0,
    };
    let value = reader.choice().filter(|_| expression.len() <= LONGEST)?;
    reader.rest.is_empty().then_some(value)
}

struct Reader<'t> {
    rest: &'t str,
    n: u64,
    depth: usize,
}

impl Reader<'_> {
    fn take(&mut self, token: &str) -> bool {
        let rest = self.rest.strip_prefix(token).map(str::trim_start);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Reads `a ? b : c`, or what binds tighter.
    fn choice(&mut self) -> Option<u64> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut value = self.binary(LEVELS.as_slice())?;
        if self.take("?") {
            let yes = self.choice()?;
            let no = self.take(":").then(|| self.choice())??;
            value = if value == 0 { no } else { yes };
        }
        self.depth -= 1;
        Some(value)
    }

    fn binary(&mut self, levels: &[&[&str]]) -> Option<u64> {
        let Some((operators, tighter)) = levels.split_first() else {
            return self.unary();
        };
        let mut left = self.binary(tighter)?;
        while let Some(operator) = operators.iter().find(|operator| self.take(operator)) {
            left = apply(operator, left, self.binary(tighter)?);
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<u64> {
        if self.take("(") {
            let value = self.choice()?;
            return self.take(")").then_some(value);
        }
        if self.take("!") {
            self.depth += 1;
            let value = self.unary().filter(|_| self.depth <= DEEPEST)?;
            self.depth -= 1;
            return Some(u64::from(value == 0));
        }
        if self.take("n") {
            return Some(self.n);
        }
        let rest = self.rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = self.rest.get(..self.rest.len() - rest.len())?;
        self.rest = rest.trim_start();
        digits.parse().ok()
    }
}

/// Both sides are computed even where C would leave one out, so a division by zero gives zero.
fn apply(operator: &str, left: u64, right: u64) -> u64 {
    let truth = match operator {
        "+" => return left.wrapping_add(right),
        "-" => return left.wrapping_sub(right),
        "*" => return left.wrapping_mul(right),
        "/" => return left.checked_div(right).unwrap_or_default(),
        "%" => return left.checked_rem(right).unwrap_or_default(),
        "||" => left != 0 || right != 0,
        "&&" => left != 0 && right != 0,
        "==" => left == right,
        "!=" => left != right,
        "<=" => left <= right,
        ">=" => left >= right,
        "<" => left < right,
        _ => left > right,
    };
    u64::from(truth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_bind_as_in_c() {
        for (expression, n, expected) in [
            ("n != 1", 1, Some(0)),
            ("n!=1", 0, Some(1)),
            ("1 + 2 * 3 % 4", 0, Some(3)),
            ("n==1 ? 0 : n>=2 && n<=4 ? 1 : 2", 3, Some(1)),
            ("(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2", 5, Some(2)),
            ("n==0 || n==1 && n==2", 0, Some(1)),
            ("!(n<=1)", 2, Some(1)),
            ("n % 0", 5, Some(0)),
            ("", 0, None),
            ("n n", 0, None),
            ("n ? 1", 0, None),
            ("n = 1", 0, None),
            ("99999999999999999999999", 0, None),
        ] {
            assert_eq!(value(expression, n), expected, "{expression}");
        }
        let nested = |depth: usize| "(".repeat(depth) + "n" + &")".repeat(depth);
        assert_eq!(value(&nested(30), 7), Some(7));
        assert_eq!(value(&nested(900), 7), None);
        assert_eq!(value(&"!".repeat(1999), 7), None);
    }
}
