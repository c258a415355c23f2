//! The machine that figures come from, as far as the system tells.

use std::fs;

/// Names the machine: its name, processor and cores.
pub fn machine() -> String {
    let read = |path: &str| fs::read_to_string(path).ok();
    let name = read("/proc/sys/kernel/hostname").or_else(|| std::env::var("COMPUTERNAME").ok());
    let name = name.map_or_else(|| "this machine".to_owned(), |name| name.trim().to_owned());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let model = read("/proc/cpuinfo").and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let model = model.unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    format!("{name}: {model}, {cores} cores, {}", std::env::consts::OS)
}
