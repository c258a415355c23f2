//! The projection: one row a unit, kept with the log, rebuildable from it.

use diglot_agent::store::UnitRow;
use diglot_agent::{ProjectPath, SessionId};
use rusqlite::{Row, Transaction, params};

use crate::connection::Store;
use crate::error::StoreError;
use crate::rows::{count, from_name, int, name_of, unreadable};

const TABLE: &str = "unit";

impl Store {
    /// Returns the rows of one document, in order; a unit without a row is open.
    ///
    /// # Errors
    /// When a row cannot be read; `replace_units` rebuilds them.
    pub fn units(
        &self,
        session: SessionId,
        path: &ProjectPath,
    ) -> Result<Vec<UnitRow>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT path, unit, source, target, state, origin, mode, revised FROM unit \
                 WHERE session = ?1 AND path = ?2 ORDER BY unit",
                )?
                .query_and_then(params![session.0, path.as_str()], read)?
                .collect()
        })
    }

    /// Returns the rows of some units of a document, in order: those from `first` on, so many at most.
    ///
    /// # Errors
    /// As [`Store::units`].
    pub fn some_units(
        &self,
        session: SessionId,
        path: &ProjectPath,
        first: usize,
        limit: usize,
    ) -> Result<Vec<UnitRow>, StoreError> {
        let last = first.saturating_add(limit);
        self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT path, unit, source, target, state, origin, mode, revised FROM unit \
                     WHERE session = ?1 AND path = ?2 AND unit >= ?3 AND unit < ?4 ORDER BY unit",
                )?
                .query_and_then(
                    params![session.0, path.as_str(), int(first), int(last)],
                    read,
                )?
                .collect()
        })
    }

    /// Tells how far each document of a session is that has a unit with a row, by path.
    ///
    /// # Errors
    /// As [`Store::units`].
    pub fn progress(&self, session: SessionId) -> Result<Vec<Progress>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT path, unit, state FROM unit WHERE session = ?1 ORDER BY path, unit",
            )?;
            let mut rows = statement.query([session.0])?;
            let mut found: Vec<Progress> = Vec::new();
            while let Some(row) = rows.next()? {
                let text = |column| {
                    let text = row.get_ref(column)?.as_str();
                    text.map_err(|error| unreadable(TABLE, &error))
                };
                let (path, state) = (text(0)?, text(2)?);
                if found.last().is_none_or(|last| last.path.as_str() != path) {
                    let path = ProjectPath::from_listing(path);
                    found.push(Progress {
                        path: path.map_err(|error| unreadable(TABLE, &error))?,
                        n_confirmed: 0,
                        first_open: 1,
                    });
                }
                if let Some(last) = found.last_mut() {
                    last.take(count(row.get(1)?), state);
                }
            }
            Ok(found)
        })
    }

    /// Returns the rows of all documents of a session, by path and in order.
    ///
    /// # Errors
    /// As [`Store::units`].
    pub fn all_units(&self, session: SessionId) -> Result<Vec<UnitRow>, StoreError> {
        self.read(|connection| {
            connection
                .prepare_cached(
                    "SELECT path, unit, source, target, state, origin, mode, revised FROM unit \
                 WHERE session = ?1 ORDER BY path, unit",
                )?
                .query_and_then([session.0], read)?
                .collect()
        })
    }

    /// Replaces all rows of a session by what its log says.
    ///
    /// # Errors
    /// When they could not be written.
    pub fn replace_units(&self, session: SessionId, units: &[UnitRow]) -> Result<(), StoreError> {
        self.write(|tx| {
            tx.execute("DELETE FROM unit WHERE session = ?1", [session.0])?;
            put(tx, session, units)
        })
    }
}

/// Tells how far a document is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// The document.
    pub path: ProjectPath,
    /// Units that a person confirmed.
    pub n_confirmed: usize,
    /// The first unit, from 1, that is neither confirmed nor proposed; one more than the document has when there is none.
    pub first_open: usize,
}

impl Progress {
    /// Takes the next row in the order of units.
    fn take(&mut self, unit: usize, state: &str) {
        let is_confirmed = matches!(state, "approved" | "refined");
        self.n_confirmed += usize::from(is_confirmed);
        if unit == self.first_open && (is_confirmed || state == "proposed") {
            self.first_open += 1;
        }
    }
}

/// Writes rows, each in place of the one before.
pub(crate) fn put(
    tx: &Transaction<'_>,
    session: SessionId,
    units: &[UnitRow],
) -> Result<(), StoreError> {
    let mut statement = tx.prepare_cached(
        "INSERT OR REPLACE INTO unit (session, path, unit, source, target, state, origin, mode, \
         revised, search) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?;
    let mut gone =
        tx.prepare_cached("DELETE FROM unit WHERE session = ?1 AND path = ?2 AND unit = ?3")?;
    for row in units {
        // A unit without a source went away with a change of its document.
        if row.source.is_empty() {
            gone.execute(params![session.0, row.path.as_str(), int(row.unit)])?;
            continue;
        }
        statement.execute(params![
            session.0,
            row.path.as_str(),
            int(row.unit),
            row.source,
            row.target,
            name_of(&row.state)?,
            name_of(&row.origin)?,
            name_of(&row.mode)?,
            row.revised,
            format!("{}\n{}", row.source, row.target).to_lowercase(),
        ])?;
    }
    Ok(())
}

fn read(row: &Row<'_>) -> Result<UnitRow, StoreError> {
    let path: String = row.get("path")?;
    Ok(UnitRow {
        path: ProjectPath::from_listing(&path).map_err(|error| unreadable(TABLE, &error))?,
        unit: count(row.get("unit")?),
        source: row.get("source")?,
        target: row.get("target")?,
        state: from_name(TABLE, row.get("state")?)?,
        origin: from_name(TABLE, row.get("origin")?)?,
        mode: from_name(TABLE, row.get("mode")?)?,
        revised: row.get("revised")?,
    })
}
