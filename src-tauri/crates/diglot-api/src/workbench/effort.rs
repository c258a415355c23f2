//! Seeing that it works: what drafts were made from, what they cost, and how much of them people change.

mod receipts;
