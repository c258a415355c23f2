//! Names of files that hold a program's settings, not texts. Must not know a syntax.

/// Files by their names, in lower case.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "analysis_options.yaml", "angular.json", "app.yaml", "appveyor.yml", "azure-pipelines.yml",
    "biome.json", "biome.jsonc", "bitbucket-pipelines.yml", "bower.json", "buf.gen.yaml",
    "buf.yaml", "buf.work.yaml", "cargo.toml", "chart.yaml", "clippy.toml", "cloudbuild.yaml",
    "codecov.yml", "components.json", "composer.json", "compose.yaml", "compose.yml",
    "crowdin.yaml", "crowdin.yml", "cypress.json", "dependabot.yml", "deno.json", "deno.jsonc",
    "deny.toml", "environment.yaml", "environment.yml", "firebase.json", "gruntfile.json",
    "jsconfig.json", "kustomization.yaml", "kustomization.yml", "l10n.yaml", "lerna.json",
    "meta.yaml", "nest-cli.json", "netlify.toml", "now.json", "npm-shrinkwrap.json", "nx.json",
    "package.json", "pnpm-workspace.yaml", "project.json", "pubspec.yaml", "pyproject.toml",
    "renovate.json", "renovate.json5", "ruff.toml", "rush.json", "rust-toolchain.toml",
    "rustfmt.toml", "serverless.yaml", "serverless.yml", "skaffold.yaml", "stack.yaml",
    "tauri.conf.json", "tslint.json", "turbo.json", "typedoc.json", "uv.toml", "values.yaml",
    "vercel.json", "wrangler.toml",
];

/// What such names begin and end with.
const PATTERNS: &[(&str, &str)] = &[
    (".", ""),
    ("docker-compose", ""),
    ("tsconfig", ".json"),
    ("tsconfig", ".jsonc"),
    ("", ".schema.json"),
    ("", ".config.json"),
    ("", "-lock.json"),
    ("", "-lock.yaml"),
    ("", ".code-workspace.json"),
];

/// Folders whose files are settings.
const FOLDERS: [&str; 7] = [
    ".circleci",
    ".devcontainer",
    ".github",
    ".gitlab",
    ".idea",
    ".vscode",
    "node_modules",
];

/// Tells whether a path names a file of settings.
pub(in crate::format) fn is_program_file(path: &str) -> bool {
    let mut parts = path.rsplit(['/', '\\']);
    let name = parts.next().unwrap_or_default().to_ascii_lowercase();
    NAMES.contains(&name.as_str())
        || PATTERNS
            .iter()
            .any(|(start, end)| name.starts_with(start) && name.ends_with(end))
        || parts.any(|folder| FOLDERS.contains(&folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_told_by_name() {
        for path in [
            "package.json",
            "a/Cargo.toml",
            "tsconfig.build.json",
            ".eslintrc.json",
            "docker-compose.dev.yml",
            ".github/workflows/ci.yml",
            "pnpm-lock.yaml",
            "a\\book.schema.json",
        ] {
            assert!(is_program_file(path), "{path}");
        }
        for path in [
            "locales/en.json",
            "manifest.json",
            "packages.json",
            "config/en.yml",
        ] {
            assert!(!is_program_file(path), "{path}");
        }
    }
}
