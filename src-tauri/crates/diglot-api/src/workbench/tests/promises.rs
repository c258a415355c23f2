//! The promises P28, P29 and P32 of SECURITY.md, measured on whole sessions: tries, stops, loops.

use super::*;

mod loops;
mod stops;
mod tries;
