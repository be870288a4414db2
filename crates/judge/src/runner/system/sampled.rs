//! CPU time and memory of running processes on systems that do not add them up for the judge, by
//! `sysinfo`.

use std::time::Duration;

use sysinfo::{CpuRefreshKind, Pid, ProcessRefreshKind, ProcessesToUpdate, System};

use super::resources::Resources;

/// The processor, as the system names it.
pub fn processor_name() -> Option<String> {
    let mut system = System::new();
    system.refresh_cpu_list(CpuRefreshKind::nothing());
    system.cpus().first().map(|cpu| cpu.brand().to_owned())
}

/// The sum over these processes, without those that have ended: CPU time, and resident memory.
pub fn sum(processes: &[u32]) -> Resources {
    let pids: Vec<Pid> = processes.iter().map(|&process| Pid::from_u32(process)).collect();
    let system = sample(ProcessesToUpdate::Some(&pids));
    let mut used = Resources::default();
    for process in pids.iter().filter_map(|&pid| system.process(pid)) {
        used.cpu += Duration::from_millis(process.accumulated_cpu_time());
        used.memory_bytes += process.memory();
    }
    used
}

/// The process and its descendants, as far as no process between them has ended.
#[cfg(unix)]
pub fn with_descendants(process: u32) -> Vec<u32> {
    let system = sample(ProcessesToUpdate::All);
    let mut found = vec![process];
    let mut visited = 0;
    while let Some(&parent) = found.get(visited) {
        visited += 1;
        let parent = Some(Pid::from_u32(parent));
        let children = system.processes().iter().filter(|(_, child)| child.parent() == parent);
        found.extend(children.map(|(pid, _)| pid.as_u32()));
    }
    found
}

fn sample(processes: ProcessesToUpdate) -> System {
    let mut system = System::new();
    let kind = ProcessRefreshKind::nothing().with_cpu().with_memory().without_tasks();
    system.refresh_processes_specifics(processes, true, kind);
    system
}
