//! What must be on the machine before a build: Node and the system's libraries. Installs with apt, tells elsewhere.

use crate::command::{output, program, run, succeeds};
use crate::report::say;
use anyhow::{Context, Result, bail};

/// Why the machine is prepared: a test run needs a screen and a browser driver on top.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Building and opening the app.
    Build,
    /// Running every check.
    Test,
}

/// Debian's and Ubuntu's packages for building. Pip is there to fetch the language pack.
const APT_BUILD: &[&str] = &[
    "build-essential",
    "pkg-config",
    "libwebkit2gtk-4.1-dev",
    "python3-pip",
];
/// Their packages for driving the real window without a screen.
const APT_TEST: &[&str] = &["webkit2gtk-driver", "xvfb", "xauth", "dbus"];

/// What to type where apt is not at home.
const OTHER_LINUX: &str = "\
  Fedora:   sudo dnf install gcc pkgconf-pkg-config webkit2gtk4.1-devel python3-pip
  Arch:     sudo pacman -S --needed base-devel webkit2gtk-4.1 python-pip
  openSUSE: sudo zypper install gcc pkgconf webkit2gtk3-devel python3-pip";

/// Checks Node, then the system's libraries, and installs what is missing where apt is at home.
///
/// Rust needs no check here: cargo itself refuses a compiler older than `rust-version` in one sentence.
pub(crate) fn ensure(purpose: Purpose) -> Result<()> {
    check_node(output(program("node").arg("--version")).as_deref())?;
    if cfg!(target_os = "linux") {
        ensure_linux(purpose)
    } else if cfg!(target_os = "macos") && !succeeds(program("xcode-select").arg("-p")) {
        bail!("Apple's command line tools are missing. Install them with: xcode-select --install")
    } else {
        Ok(())
    }
}

/// Refuses a Node that the front end's build tool would stumble over (Vite's own bounds).
fn check_node(version: Option<&str>) -> Result<()> {
    let Some(version) = version else {
        bail!("Node was not found. Diglot is built with Node 20.19 or later: https://nodejs.org");
    };
    let mut numbers = version
        .trim_start_matches('v')
        .split('.')
        .map(|part| part.parse().unwrap_or(0));
    let found: (u32, u32) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    let new_enough = match found {
        (20, minor) => minor >= 19,
        (22, minor) => minor >= 12,
        (major, _) => major > 22,
    };
    if new_enough {
        return Ok(());
    }
    bail!(
        "Node {version} is too old. Diglot is built with Node 20.19 or 22.12 or later: https://nodejs.org"
    )
}

fn ensure_linux(purpose: Purpose) -> Result<()> {
    if succeeds(program("dpkg-query").arg("--version"))
        && succeeds(program("apt-get").arg("--version"))
    {
        return ensure_apt(purpose);
    }
    if !succeeds(program("pkg-config").args(["--exists", "webkit2gtk-4.1"])) {
        bail!(
            "the WebKitGTK 4.1 development files are missing. Install them, then try again:\n{OTHER_LINUX}"
        );
    }
    Ok(())
}

fn ensure_apt(purpose: Purpose) -> Result<()> {
    let mut missing: Vec<&str> = APT_BUILD.to_vec();
    if purpose == Purpose::Test {
        missing.extend(APT_TEST);
    }
    missing.retain(|package| !is_installed(package));
    if missing.is_empty() {
        return Ok(());
    }
    let install = format!(
        "apt-get install -y --no-install-recommends {}",
        missing.join(" ")
    );
    say(&format!("missing system packages: {}", missing.join(", ")));
    let root = output(program("id").arg("-u")).as_deref() == Some("0");
    if !root && !succeeds(program("sudo").arg("--version")) {
        bail!("run these as root, then try again:\n  apt-get update\n  {install}");
    }
    // A package source of the person's own that does not answer is no reason to stop: the install decides.
    if let Err(error) = run(&mut apt(root, "update")) {
        say(&format!(
            "{error:#}; going on with the package lists that are here"
        ));
    }
    let mut command = apt(root, "install");
    command
        .args(["-y", "--no-install-recommends"])
        .args(&missing);
    run(&mut command)
        .with_context(|| format!("install the packages by hand, then try again:\n  {install}"))
}

fn apt(root: bool, verb: &str) -> std::process::Command {
    let mut command = program(if root { "env" } else { "sudo" });
    if !root {
        command.arg("env");
    }
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", verb]);
    command
}

fn is_installed(package: &str) -> bool {
    let status = output(program("dpkg-query").args(["-W", "-f=${db:Status-Status}", package]));
    status.as_deref() == Some("installed")
}

#[cfg(test)]
mod tests {
    use super::check_node;

    #[test]
    fn node_is_refused_below_what_vite_supports() {
        for version in ["v20.19.0", "v20.20.2", "v22.12.0", "v24.1.0"] {
            assert!(check_node(Some(version)).is_ok(), "{version}");
        }
        for version in ["v18.19.1", "v20.18.3", "v21.7.0", "v22.11.0", "nonsense"] {
            let refusal = check_node(Some(version)).unwrap_err().to_string();
            assert!(
                refusal.contains(version) && !refusal.contains('\n'),
                "{refusal}"
            );
        }
        assert!(
            check_node(None)
                .unwrap_err()
                .to_string()
                .starts_with("Node was not found.")
        );
    }
}
