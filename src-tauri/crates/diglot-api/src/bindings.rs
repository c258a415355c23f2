//! Writes the TypeScript that the front end is typed with. A test writes it where it is committed; another fails when
//! what is committed is stale.

use std::fs;

use ts_rs::{Config, ExportError, TS, TypeVisitor};

use crate::event::ApiEvent;
use crate::schema;

/// Writes the map of all commands, and every type that they and the events use, into the folder of `config`.
pub fn export(config: &Config) -> Result<(), ExportError> {
    let mut export = Export {
        config,
        result: Ok(()),
    };
    schema::visit_types(&mut export);
    export.visit::<ApiEvent>();
    export.result?;
    fs::write(config.out_dir().join("CommandMap.ts"), command_map(config))?;
    Ok(())
}

fn command_map(config: &Config) -> String {
    let imports = schema::command_types(config).into_iter();
    let imports: Vec<String> = imports
        .map(|name| format!("import type {{ {name} }} from \"./{name}\";"))
        .collect();
    format!("{}\n\n{}", imports.join("\n"), schema::command_map(config))
}

struct Export<'a> {
    config: &'a Config,
    result: Result<(), ExportError>,
}

impl TypeVisitor for Export<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Lists and optional values have no file of their own.
        if self.result.is_ok() && T::output_path().is_some() {
            self.result = T::export_all(self.config);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_bindings_are_written() {
        let folder = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../../ui/src/backend/bindings"
        );
        export(&Config::from_env().with_out_dir(folder)).unwrap();
    }
}
