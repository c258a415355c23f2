//! Brings the schema forward, one transaction a step. Knows no table.

use rusqlite::{Connection, TransactionBehavior};

use crate::error::StoreError;
use crate::rows::int;

/// The steps in order; the n-th leads to version n. A released step is never changed.
pub(crate) const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001_start.sql"),
    include_str!("migrations/0002_dismissals.sql"),
    include_str!("migrations/0003_confirmations.sql"),
    include_str!("migrations/0004_screens.sql"),
    include_str!("migrations/0005_learning.sql"),
];

/// Returns the version that the steps lead to.
pub(crate) fn latest(migrations: &[&str]) -> i64 {
    int(migrations.len())
}

/// Returns the version of a file; a new one has 0.
pub(crate) fn version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

/// Runs the steps that a file has not seen. Each is whole or did not happen, its version included.
pub(crate) fn migrate(connection: &mut Connection, migrations: &[&str]) -> Result<(), StoreError> {
    let done = usize::try_from(version(connection)?).unwrap_or_default();
    for (place, sql) in migrations.iter().enumerate().skip(done) {
        let step = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        step.execute_batch(sql)?;
        step.pragma_update(None, "user_version", int(place + 1))?;
        step.commit()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "CREATE TABLE a (x); INSERT INTO a VALUES (1);";
    const SECOND: &str = "ALTER TABLE a ADD COLUMN y; UPDATE a SET y = x + 1;";
    const BROKEN: &str = "ALTER TABLE a ADD COLUMN z; INSERT INTO nowhere VALUES (1);";

    #[test]
    fn steps_run_once_and_in_order() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, &[FIRST]).unwrap();
        assert_eq!(version(&connection).unwrap(), 1);
        for _ in 0..2 {
            migrate(&mut connection, &[FIRST, SECOND]).unwrap();
            assert_eq!(version(&connection).unwrap(), 2);
        }
        let row: (i64, i64) = connection
            .query_row("SELECT x, y FROM a", [], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .unwrap();
        assert_eq!(row, (1, 2));
    }

    #[test]
    fn a_step_that_fails_leaves_nothing_behind() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, &[FIRST]).unwrap();
        migrate(&mut connection, &[FIRST, BROKEN]).unwrap_err();
        assert_eq!(version(&connection).unwrap(), 1);
        connection
            .query_row("SELECT z FROM a", [], |_| Ok(()))
            .unwrap_err();
    }

    #[test]
    fn a_newer_file_is_left_alone() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.pragma_update(None, "user_version", 9).unwrap();
        migrate(&mut connection, &[FIRST]).unwrap();
        assert_eq!(version(&connection).unwrap(), 9);
    }
}
