//! The sessions: what a list shows and what a person set, one row each.

use diglot_agent::store::SessionCounts;
use diglot_agent::{Seq, SessionId};
use diglot_document::{LanguagePair, LanguageTag};
use rusqlite::{Connection, OptionalExtension, Params, Row, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::connection::Store;
use crate::error::StoreError;
use crate::rows::{count, from_json, int, json_of, languages};

/// Holds what a new session starts with.
#[derive(Debug, Clone, PartialEq)]
pub struct NewSession {
    /// What the list calls it.
    pub title: String,
    /// The project, an absolute path.
    pub folder: String,
    /// Where targets go, an absolute path.
    pub target_folder: String,
    /// Languages.
    pub languages: LanguagePair,
    /// The person's instructions, may be empty.
    pub instructions: String,
    /// The application's settings for it.
    pub settings: Value,
    /// When, in Unix milliseconds.
    pub at: i64,
}

/// Holds a session without its log.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionRow {
    /// Its id; never reused.
    pub id: SessionId,
    /// What the list calls it.
    pub title: String,
    /// The project, an absolute path.
    pub folder: String,
    /// Where targets go, an absolute path.
    pub target_folder: String,
    /// Languages.
    pub languages: LanguagePair,
    /// The person's instructions, may be empty.
    pub instructions: String,
    /// The application's settings for it; `Null` when they cannot be read.
    pub settings: Value,
    /// The failed attempt that it waits for, if there is one.
    pub attempt: Option<Attempt>,
    /// Its last entry.
    pub seq: Seq,
    /// Counts as of that entry.
    pub counts: SessionCounts,
    /// When it was created, in Unix milliseconds.
    pub created_at: i64,
    /// When its log last grew, in Unix milliseconds.
    pub updated_at: i64,
    /// What of the row cannot be read, without its text; it must not be written over then.
    pub damage: Option<String>,
}

/// Records a model call that failed and is tried again (SPEC 10.9).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    /// The error as the application describes it.
    pub error: Value,
    /// When it is tried again, in Unix milliseconds; `None` when a person must start it.
    pub try_again_at: Option<i64>,
    /// Tries so far.
    pub n_tries: u32,
    /// When it failed, in Unix milliseconds.
    pub at: i64,
}

/// Holds part of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    /// The rows, may be empty.
    pub rows: Vec<T>,
    /// Rows of the whole list.
    pub n_total: usize,
    /// Rows of this part that could not be read and are left out.
    pub n_unreadable: usize,
}

const COLUMNS: &str = "id, title, folder, target_folder, source_language, target_language, \
     instructions, settings, attempt, seq, n_units, n_confirmed, n_waiting, n_tokens, \
     created_at, updated_at";

/// Rows whose own text or one of whose units holds `?1`, which is lower case.
const FOUND: &str = "WHERE instr(search, ?1) > 0 OR EXISTS \
     (SELECT 1 FROM unit WHERE unit.session = session.id AND instr(unit.search, ?1) > 0)";

impl Store {
    /// Creates a session.
    ///
    /// # Errors
    /// When it could not be written.
    pub fn create_session(&self, new: &NewSession) -> Result<SessionId, StoreError> {
        let settings = json_of(&new.settings)?;
        let (source, target) = (new.languages.source.as_str(), new.languages.target.as_str());
        let search = search_text(&new.title, &new.folder, &new.languages);
        self.write(|tx| {
            tx.prepare_cached(
                "INSERT INTO session (title, folder, target_folder, source_language, \
                 target_language, instructions, settings, search, created_at, updated_at) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)",
            )?
            .execute(params![
                new.title,
                new.folder,
                new.target_folder,
                source,
                target,
                new.instructions,
                settings,
                search,
                new.at,
            ])?;
            Ok(SessionId(tx.last_insert_rowid()))
        })
    }

    /// Returns a session.
    ///
    /// # Errors
    /// `SessionNotFound`, or its row cannot be read.
    pub fn session(&self, id: SessionId) -> Result<SessionRow, StoreError> {
        self.one_session("WHERE id = ?1", [id.0])?
            .ok_or(StoreError::SessionNotFound { session: id })
    }

    /// Returns the session of a folder and target language that was last worked on (SPEC 10.14).
    ///
    /// # Errors
    /// When its row cannot be read.
    pub fn find_session(
        &self,
        folder: &str,
        target: &LanguageTag,
    ) -> Result<Option<SessionRow>, StoreError> {
        let rest = "WHERE folder = ?1 AND target_language = ?2 \
             ORDER BY updated_at DESC, id DESC LIMIT 1";
        self.one_session(rest, [folder, target.as_str()])
    }

    /// Returns the sessions of a folder, the last worked on first. A row that cannot be read is left out.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn sessions_of(&self, folder: &str) -> Result<Vec<SessionRow>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM session WHERE folder = ?1 ORDER BY updated_at DESC, id DESC"
            ))?;
            let rows = statement.query_map([folder], |row| Ok(read(row)))?;
            let mut sessions = Vec::new();
            for row in rows {
                match row? {
                    Ok(session) => sessions.push(session),
                    Err(error) => tracing::error!(%error, "a session is left out of its folder"),
                }
            }
            Ok(sessions)
        })
    }

    fn one_session(
        &self,
        rest: &str,
        params: impl Params,
    ) -> Result<Option<SessionRow>, StoreError> {
        self.read(|connection| find(connection, rest, params))
    }

    /// Lists sessions, last worked on first: all, or those whose title, folder, languages or units hold `query`
    /// in any case.
    ///
    /// # Errors
    /// When the list cannot be read; a row that cannot is counted and left out.
    pub fn sessions(
        &self,
        query: Option<&str>,
        offset: usize,
        limit: usize,
    ) -> Result<Page<SessionRow>, StoreError> {
        let query = query
            .map(|query| query.trim().to_lowercase())
            .filter(|query| !query.is_empty());
        // `?1 IS NULL` binds the parameter where nothing is searched for.
        let filter = if query.is_some() {
            FOUND
        } else {
            "WHERE ?1 IS NULL"
        };
        self.read(|connection| {
            let n_total: i64 = connection
                .prepare_cached(&format!("SELECT count(*) FROM session {filter}"))?
                .query_row([&query], |row| row.get(0))?;
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM session {filter} \
             ORDER BY updated_at DESC, id DESC LIMIT ?2 OFFSET ?3"
            ))?;
            let mut page = Page {
                rows: Vec::new(),
                n_total: count(n_total),
                n_unreadable: 0,
            };
            let mut rows = statement.query(params![query, int(limit), int(offset)])?;
            while let Some(row) = rows.next()? {
                match read(row) {
                    Ok(session) => page.rows.push(session),
                    Err(error) => {
                        tracing::error!(%error, "a session is left out of the list");
                        page.n_unreadable += 1;
                    }
                }
            }
            Ok(page)
        })
    }

    /// Gives a session another title.
    ///
    /// # Errors
    /// `SessionNotFound`.
    pub fn rename_session(&self, id: SessionId, title: &str) -> Result<(), StoreError> {
        let row = self.session(id)?;
        let search = search_text(title, &row.folder, &row.languages);
        self.change(id, "title = ?2, search = ?3", params![id.0, title, search])
    }

    /// Gives a session another language pair, for instance when the source was detected wrongly.
    ///
    /// # Errors
    /// `SessionNotFound`.
    pub fn set_languages(&self, id: SessionId, pair: &LanguagePair) -> Result<(), StoreError> {
        let row = self.session(id)?;
        let search = search_text(&row.title, &row.folder, pair);
        let (source, target) = (pair.source.as_str(), pair.target.as_str());
        let columns = "source_language = ?2, target_language = ?3, search = ?4";
        self.change(id, columns, params![id.0, source, target, search])
    }

    /// Replaces the person's instructions.
    ///
    /// # Errors
    /// `SessionNotFound`.
    pub fn set_instructions(&self, id: SessionId, text: &str) -> Result<(), StoreError> {
        self.change(id, "instructions = ?2", params![id.0, text])
    }

    /// Replaces a session's settings.
    ///
    /// # Errors
    /// `SessionNotFound`.
    pub fn set_session_settings(&self, id: SessionId, settings: &Value) -> Result<(), StoreError> {
        self.change(id, "settings = ?2", params![id.0, json_of(settings)?])
    }

    /// Keeps or clears the failed attempt that a session waits for.
    ///
    /// # Errors
    /// `SessionNotFound`.
    pub fn set_attempt(&self, id: SessionId, attempt: Option<&Attempt>) -> Result<(), StoreError> {
        let text = attempt.map(json_of).transpose()?;
        self.change(id, "attempt = ?2", params![id.0, text])
    }

    /// Sets how many tokens a session has spent, also on what left nothing in its log.
    ///
    /// # Errors
    /// `SessionNotFound`.
    pub fn set_tokens(&self, id: SessionId, n_tokens: u64) -> Result<(), StoreError> {
        self.change(id, "n_tokens = ?2", params![id.0, int(n_tokens)])
    }

    fn change(&self, id: SessionId, columns: &str, params: impl Params) -> Result<(), StoreError> {
        self.write(|tx| {
            let n = tx
                .prepare_cached(&format!("UPDATE session SET {columns} WHERE id = ?1"))?
                .execute(params)?;
            if n == 0 {
                Err(StoreError::SessionNotFound { session: id })
            } else {
                Ok(())
            }
        })
    }

    /// Deletes a session with its log, units, and the source texts that no other session needs. What memory and
    /// translation memory learnt from it stays.
    ///
    /// # Errors
    /// `SessionNotFound`.
    pub fn delete_session(&self, id: SessionId) -> Result<(), StoreError> {
        self.write(|tx| {
            if tx.execute("DELETE FROM session WHERE id = ?1", [id.0])? == 0 {
                return Err(StoreError::SessionNotFound { session: id });
            }
            tx.execute(
                "DELETE FROM source WHERE NOT EXISTS \
                 (SELECT 1 FROM session_source WHERE session_source.hash = source.hash)",
                [],
            )?;
            Ok(())
        })
    }
}

/// Returns the first session that a condition finds.
pub(crate) fn find(
    connection: &Connection,
    rest: &str,
    params: impl Params,
) -> Result<Option<SessionRow>, StoreError> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM session {rest}"))?
        .query_row(params, |row| Ok(read(row)))
        .optional()?
        .transpose()
}

fn search_text(title: &str, folder: &str, pair: &LanguagePair) -> String {
    format!("{title}\n{folder}\n{}\n{}", pair.source, pair.target).to_lowercase()
}

fn read(row: &Row<'_>) -> Result<SessionRow, StoreError> {
    const TABLE: &str = "session";
    let mut damage = None;
    let mut json = |column: &str| -> Result<Option<Value>, StoreError> {
        let text: Option<String> = row.get(column)?;
        let value = text.map(|text| from_json(TABLE, &text)).transpose();
        value.or_else(|error| {
            damage = Some(error.to_string());
            Ok(None)
        })
    };
    let settings = json("settings")?.unwrap_or_default();
    let attempt = json("attempt")?.and_then(|value| serde_json::from_value(value).ok());
    let counts = SessionCounts {
        n_units: count(row.get("n_units")?),
        n_confirmed: count(row.get("n_confirmed")?),
        n_waiting: count(row.get("n_waiting")?),
        n_tokens: count(row.get("n_tokens")?),
    };
    let (source, target): (String, String) =
        (row.get("source_language")?, row.get("target_language")?);
    Ok(SessionRow {
        id: SessionId(row.get("id")?),
        title: row.get("title")?,
        folder: row.get("folder")?,
        target_folder: row.get("target_folder")?,
        languages: languages(TABLE, &source, &target)?,
        instructions: row.get("instructions")?,
        settings,
        attempt,
        seq: Seq(count(row.get("seq")?)),
        counts,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
        damage,
    })
}

#[cfg(test)]
mod tests;
