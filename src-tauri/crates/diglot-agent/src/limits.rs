//! Every bound of the agent core, in one place, each with the reason for its size.

/// Steps without a human decision before the run stops (SPEC 2).
pub const STEPS_WITHOUT_DECISION: u32 = 25;
/// Identical calls without progress before the run stops (SPEC 2).
pub const IDENTICAL_CALLS: u32 = 3;
/// Machine rejects in a row before the person gets the turn (SPEC 3).
pub const REFUSALS_IN_A_ROW: u32 = 3;
/// Confirmed units after which a new chunk opens (SPEC 10.5).
pub const CHUNK_UNITS: usize = 32;
/// Units that a turn proposes when the person sets nothing (SPEC 5).
pub const LOOK_AHEAD: usize = 4;
/// Longest source block of a chunk, in bytes: about 2,000 tokens of Latin text. With [`TURN_BYTES`] it keeps
/// every request within 32 kB (PERFORMANCE 1).
pub const CHUNK_BYTES: usize = 8_000;
/// Longest run of turns in a chunk before it is opened anew, in bytes of messages and calls.
pub const TURN_BYTES: usize = 14_000;
/// Confirmed pairs shown at the head of a chunk (PERFORMANCE 8).
pub const EXAMPLE_PAIRS: usize = 5;
/// The person's messages repeated at the head of a chunk, newest last, and the length in bytes of those
/// before the latest together.
pub const REPEATED_MESSAGES: usize = 8;
/// See [`REPEATED_MESSAGES`].
pub const REPEATED_BYTES: usize = 2_000;
/// Longest latest message at the head of a chunk, in bytes: a style guide that the person pastes fits.
pub const LATEST_BYTES: usize = 8_000;
/// Calls of one answer: more is a model that runs away, and ids are made for 1,296 at most.
pub const CALLS_IN_TURN: usize = 200;
/// Entries of a listing for the model, and its length in bytes (SPEC 10.12).
pub const LISTING_ENTRIES: usize = 200;
/// See [`LISTING_ENTRIES`].
pub const LISTING_BYTES: usize = 16_000;
/// Longest memory item, in grapheme clusters (SPEC 5).
pub const MEMORY_ITEM: usize = 120;
/// Times that a lesson is tried at most; what a model cannot be asked for then is not learnt.
pub const LESSON_TRIES: u32 = 3;
/// Confirmed pairs, the last ones, that a changed word is compared with to find the word of the source that it stands for.
pub const COMPARED_PAIRS: usize = 100;
/// Decisions that a memory item keeps as its evidence, the latest: so many can be read, and each is a row of a few kilobytes.
pub const EVIDENCE: usize = 20;
/// Translations of one term that a model is shown at most.
pub const TRANSLATIONS_OF_TERM: usize = 8;
/// Longest list of terms at the head of a chunk, and of those told within it at once, in bytes; those of the first units count
/// first.
pub const TERM_BYTES: usize = 4_000;
/// Longest note on a term that a model is shown, in bytes.
pub const TERM_NOTE: usize = 200;
/// Longest page that Read returns, in units.
pub const PAGE_UNITS: usize = 40;
/// How often requests are halved for a model that finds them too long: by then little but the next units is left.
pub const HALVINGS: u32 = 3;
/// Look-ahead at most, once requests were halved.
pub const SHORT_LOOK_AHEAD: usize = 2;
/// Fewest units of a chunk: below, a model that finds the request too long will not find the next one short.
pub const FEWEST_CHUNK_UNITS: usize = 4;
/// Actions that can be taken back; each keeps its unit and its draft as they were before, about 1.5 kB.
pub const UNDONE_ACTIONS: usize = if cfg!(test) { 3 } else { 2_000 };
/// Entries that are held besides those of the window: what a conversation shows at first, and more.
pub const HELD_ENTRIES: usize = if cfg!(test) { 10 } else { 1_000 };
/// Longest title and opening of a guide in the head of a chunk, in grapheme clusters: twenty guides are a screenful.
pub const GUIDE_TITLE: usize = 80;
/// See [`GUIDE_TITLE`].
pub const GUIDE_OPENING: usize = 120;
/// Guides of a project, so that the head of a chunk stays short.
pub const GUIDES: usize = 20;
/// Longest guide, in bytes: a long house style, and more than a chunk can be given.
pub const GUIDE_BYTES: usize = 60_000;
/// Longest page of a guide that one call gives, in bytes: about 1,000 tokens of Latin text.
pub const GUIDE_PAGE: usize = 5_000;
/// Pages of guides that are given inside one chunk, in bytes together. They come on top of [`TURN_BYTES`], else they
/// would wear the chunk out and be asked for again in the next.
pub const GUIDES_GIVEN: usize = 15_000;
/// Longest note under a unit, in grapheme clusters.
pub const NOTE_CLUSTERS: usize = 160;
