//! `yose solve --scratch`: the same bytes as in memory, whatever happens on the way.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::yose::{command, error, json, yose};

/// A folder of this process, removed at the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("yose-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder for the test");
        Folder(path)
    }

    pub(crate) fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn in_memory(args: &[&str], table: &str) -> String {
    let mut all = vec!["solve"];
    all.extend(args);
    all.extend(["-o", table]);
    let json = json(&all);
    assert!(json["scratch"].is_null());
    json["fingerprint"]
        .as_str()
        .expect("a fingerprint")
        .to_owned()
}

#[test]
fn the_same_table_with_files_in_every_order() {
    let folder = Folder::new("orders");
    let (table, scratch) = (folder.file("a.yose"), folder.file("scratch"));
    for game in [
        &["shogi4", "--pieces", "PF"][..],
        &["dobutsu", "--pieces", "CG"],
        &["micro", "--pieces", "PP"],
    ] {
        for (metric, orders) in [
            ("depth", &["plies"][..]),
            ("wdl", &["inbox", "queue", "plies"]),
        ] {
            let mut args = game.to_vec();
            args.extend(["--metric", metric]);
            let expected = in_memory(&args, &table);
            for (order, threads) in orders.iter().zip(["1", "2", "8"]) {
                let mut all = vec!["solve"];
                all.extend(&args);
                all.extend([
                    "--scratch",
                    &scratch,
                    "--order",
                    order,
                    "-j",
                    threads,
                    "-o",
                    &table,
                ]);
                let solved = json(&all);
                assert_eq!(solved["fingerprint"], expected.as_str(), "{all:?}");
                assert!(solved["scratch"]["visits"].as_u64() > Some(0), "{all:?}");
                // Nothing is left behind.
                let left = fs::read_dir(&scratch).expect("a folder");
                assert_eq!(left.count(), 0);
            }
        }
    }
}

#[test]
fn counts_start_and_domains_without_a_table() {
    let folder = Folder::new("counts");
    let scratch = folder.file("scratch");
    for args in [
        &["solve", "dobutsu", "--pieces", "CG"][..],
        &["solve", "micro", "--pieces", "PP"],
    ] {
        let memory = json(args);
        let mut all = args.to_vec();
        all.extend(["--scratch", &scratch]);
        let disk = json(&all);
        for key in [
            "canonical",
            "all",
            "max_depth",
            "histogram",
            "start",
            "domains",
        ] {
            assert_eq!(memory[key], disk[key], "{key}");
        }
    }
}

/// Parts of slices give the same table; a resumed solve has the cells that it began with.
#[test]
fn cells_cut_by_the_squares_of_pieces() {
    let folder = Folder::new("cut");
    let (table, scratch) = (folder.file("a.yose"), folder.file("scratch"));
    for (metric, pin, cells) in [
        ("wdl", "1", 1_170),
        ("depth", "1", 1_170),
        ("wdl", "2", 16_458),
    ] {
        let game = ["shogi4", "--pieces", "PF", "--metric", metric];
        let expected = in_memory(&game, &table);
        let cut = ["--scratch", &scratch, "--pin", pin, "-o", &table];
        let solved = json(&[&["solve"], &game[..], &cut[..]].concat());
        assert_eq!(solved["fingerprint"], expected.as_str(), "{metric} {pin}");
        assert_eq!(solved["scratch"]["cells"], cells, "{metric} {pin}");
    }
    let expected = in_memory(&PFR[1..], &table);
    let mut begun = slow(&PFR, &scratch, &table, false, "0.05");
    let begun = begun.args(["--pin", "1"]).spawn().expect("starts");
    kill_after(begun, Path::new(&scratch), &generation(4));
    let solve = [&pfr_in(&scratch)[..], &["--resume", "-o", &table]].concat();
    let text = error(&[&solve[..], &["--pin", "0"]].concat(), 2);
    assert!(text.contains("cut by the squares of P"), "{text}");
    // What else does not fit is named, not the cells.
    let text = error(&[&solve[..], &["--order", "plies"]].concat(), 2);
    assert!(text.contains("another computation: solved"), "{text}");
    let solved = json(&solve);
    assert_eq!(solved["fingerprint"], expected.as_str());
    assert_eq!(solved["scratch"]["cells"], 1_170);
    let text = error(&[&pfr_in(&scratch)[..], &["--pin", "4"]].concat(), 2);
    assert!(text.contains("at most 3"), "{text}");
    let full = [
        "solve",
        "shogi4",
        "--metric",
        "wdl",
        "--scratch",
        &scratch,
        "--pin",
        "3",
    ];
    let text = error(&full, 2);
    assert!(
        text.contains("cells") && text.contains("are the most"),
        "{text}"
    );
}

#[test]
fn ranks_and_audit_with_files() {
    let folder = Folder::new("ranks");
    let (table, scratch) = (folder.file("a.yose"), folder.file("scratch"));
    let solved = json(&[
        "solve",
        "shogi4",
        "--pieces",
        "PF",
        "--metric",
        "wdl",
        "--ranks",
        "--audit",
        "-o",
        &table,
        "--scratch",
        &scratch,
    ]);
    assert_eq!(solved["audit"], "certified");
}

/// A solve of some seconds.
const PFR: [&str; 6] = ["solve", "shogi4", "--pieces", "PFR", "--metric", "wdl"];

fn pfr_in(scratch: &str) -> Vec<&str> {
    [&PFR[..], &["--scratch", scratch]].concat()
}

/// The same with distances.
const PFR_DEPTH: [&str; 6] = ["solve", "shogi4", "--pieces", "PFR", "--metric", "depth"];

/// A solve with a checkpoint at every moment, which takes long.
fn slow(game: &[&str], scratch: &str, table: &str, resume: bool, every: &str) -> Command {
    let mut run = command();
    run.args(game);
    run.args([
        "--scratch",
        scratch,
        "--checkpoint-every",
        every,
        "--memory",
        "96MiB",
        "-o",
        table,
        "-q",
        "--json",
    ]);
    if resume {
        run.arg("--resume");
    }
    run.stdout(Stdio::null()).stderr(Stdio::piped());
    run
}

pub(crate) fn manifests(scratch: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(scratch)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("manifest-") && !name.contains('#')
        })
        .collect();
    found.sort();
    found
}

/// Waits until so many generations have been published, and kills the process.
fn kill_after(mut child: Child, scratch: &Path, generations: &str) {
    let patience = Instant::now();
    loop {
        let newest = manifests(scratch).pop();
        let name = newest.and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        if name.is_some_and(|name| name.as_str() >= generations) {
            break;
        }
        assert!(
            child.try_wait().expect("its state").is_none(),
            "it ended too early"
        );
        assert!(
            patience.elapsed() < Duration::from_secs(120),
            "no checkpoint"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("killed");
    child.wait().expect("dead");
}

pub(crate) fn generation(number: u64) -> String {
    format!("manifest-{number:020}")
}

#[test]
fn killed_at_any_moment_and_resumed() {
    let folder = Folder::new("killed");
    let (table, scratch) = (folder.file("a.yose"), folder.file("scratch"));
    let games = [PFR, PFR_DEPTH].map(|game| (game, in_memory(&game[1..], &table)));
    let runs: u32 = std::env::var("YOSE_KILLS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(4);
    let mut seed = std::process::id();
    let mut kills = 0;
    for run in 0..runs {
        let (game, expected) = &games[run as usize % 2];
        fs::remove_file(&table).ok();
        loop {
            let mut child = slow(game, &scratch, &table, true, "0.05")
                .spawn()
                .expect("starts");
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Longer each time, so that it comes to an end.
            let patience = Duration::from_millis(u64::from(seed >> 22) * (1 + kills % 8) / 4);
            let end = Instant::now() + patience;
            while Instant::now() < end && child.try_wait().expect("its state").is_none() {
                std::thread::sleep(Duration::from_millis(2));
            }
            if let Some(status) = child.try_wait().expect("its state") {
                assert!(status.success(), "run {run}: {status}");
                break;
            }
            child.kill().expect("killed");
            child.wait().expect("dead");
            kills += 1;
        }
        let info = json(&["info", &table]);
        assert_eq!(
            info["fingerprint"],
            expected.as_str(),
            "{game:?}, run {run}"
        );
    }
    assert!(kills >= u64::from(runs) / 2, "{kills} kills are no test");
}

#[test]
fn an_interrupt_makes_a_checkpoint() {
    let folder = Folder::new("interrupt");
    let (table, scratch) = (folder.file("a.yose"), folder.file("scratch"));
    let child = slow(&PFR, &scratch, &table, false, "0")
        .spawn()
        .expect("starts");
    let path = Path::new(&scratch);
    let patience = Instant::now();
    while manifests(path).len() < 2 && patience.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("kill runs").success());
    let output = child.wait_with_output().expect("ends");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("--resume goes on"), "{text}");
    assert!(!Path::new(&table).exists());
    let run = yose(&pfr_in(&scratch));
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--resume"), "{}", run.stderr);
}

#[test]
fn a_flipped_byte_is_named_and_never_believed() {
    let folder = Folder::new("flipped");
    let (table, scratch) = (folder.file("a.yose"), folder.file("scratch"));
    let path = Path::new(&scratch);
    let expected = in_memory(&PFR_DEPTH[1..], &table);
    fs::remove_file(&table).expect("removed");
    let child = slow(&PFR_DEPTH, &scratch, &table, false, "0")
        .spawn()
        .expect("starts");
    kill_after(child, path, &generation(400));
    let resume = || {
        slow(&PFR_DEPTH, &scratch, &table, true, "300")
            .output()
            .expect("runs")
    };
    let kinds = ["own-", "won-", "log-", "stretch-", "manifest-"];
    flip_each(path, &kinds, &table, &expected, &resume);
}

/// Flips a byte in a file of each kind, then in all files of the kind, so that the generation before is no
/// way out. Each time the answer is right or the file is named.
pub(crate) fn flip_each(
    path: &Path,
    kinds: &[&str],
    table: &str,
    expected: &str,
    resume: &dyn Fn() -> Output,
) {
    let all = |folder: &Path, start: &str| -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> = fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry"))
            .filter(|entry| {
                // One that had just been made when the process was killed has nothing to flip.
                let begun = entry.metadata().expect("its data").len() > 0;
                begun && entry.file_name().to_string_lossy().starts_with(start)
            })
            .map(|entry| entry.path())
            .collect();
        found.sort();
        found
    };
    let objects = path.join("objects");
    let saved = path.with_extension("saved");
    copy(path, &saved);
    let (mut answered, mut refused) = (0, 0);
    for &kind in kinds {
        let holder = if kind == "manifest-" { path } else { &objects };
        let files = all(holder, kind);
        assert!(!files.is_empty(), "{kind}");
        // One file, and all of them, so that the generation before is no way out.
        for victims in [&files[files.len() - 1..], &files[..]] {
            for victim in victims {
                let mut bytes = fs::read(victim).expect("readable");
                let at = bytes.len() / 2;
                bytes[at] ^= 4;
                fs::write(victim, bytes).expect("writable");
            }
            let output = resume();
            let text = String::from_utf8_lossy(&output.stderr);
            assert!(!text.contains("panicked"), "{text}");
            match output.status.code() {
                Some(0) => {
                    answered += 1;
                    assert_eq!(json(&["info", table])["fingerprint"], expected);
                    fs::remove_file(table).expect("removed");
                }
                Some(4) => {
                    refused += 1;
                    assert!(!Path::new(table).exists());
                    assert!(text.contains("remove the scratch"), "{kind}: {text}");
                    let name = victims[0].file_name().expect("a name").to_string_lossy();
                    let start = name.split('.').next().unwrap_or_default();
                    let named = victims.len() > 1 || text.contains(start);
                    assert!(named && text.contains("expected"), "{kind}: {text}");
                }
                code => panic!("{kind}: {code:?} {text}"),
            }
            fs::remove_dir_all(path).expect("removed");
            copy(&saved, path);
        }
    }
    assert!(
        answered > 0 && refused > 0,
        "{answered} answered, {refused} refused"
    );
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("a type").is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("copied");
        }
    }
}

#[test]
fn the_least_memory_is_enough_and_is_held() {
    let folder = Folder::new("least");
    let (table, scratch) = (folder.file("a.yose"), folder.file("scratch"));
    for (game, threads) in [(PFR, "1"), (PFR_DEPTH, "1"), (PFR_DEPTH, "2")] {
        let expected = in_memory(&game[1..], &table);
        let more = ["--scratch", &scratch, "-o", &table, "-j", threads];
        let solve = [&game[..], &more].concat();
        let text = error(&[&solve[..], &["--memory", "1MiB"]].concat(), 2);
        let (_, rest) = text.split_once("needs ").expect("what it needs");
        let (least, _) = rest.split_once(" of memory").expect("of memory");
        let solved = json(&[&solve[..], &["--memory", least]].concat());
        assert_eq!(solved["fingerprint"], expected.as_str(), "{game:?}");
        let least: u64 = least
            .strip_suffix(" MiB")
            .and_then(|number| number.parse().ok())
            .expect("MiB");
        // Not every system tells.
        let held = solved["peak_rss_bytes"].as_u64().unwrap_or(0);
        assert!(
            held <= least << 20,
            "{game:?} -j {threads}: {held} bytes of {least} MiB"
        );
    }
}

#[test]
fn what_cannot_be_is_refused_with_the_reason() {
    let folder = Folder::new("refused");
    let (table, scratch) = (folder.file("a.yose"), folder.file("scratch"));
    let solve = pfr_in(&scratch);
    let with = |more: &[&str]| error(&[&solve[..], more].concat(), 2);
    let text = with(&["--memory", "1MiB"]);
    assert!(
        text.contains("of memory at least") && text.contains("1.0 MiB"),
        "{text}"
    );
    let text = with(&["--audit"]);
    assert!(text.contains("add -o FILE"), "{text}");
    let text = with(&["--reachable"]);
    assert!(text.contains("cannot be used with"), "{text}");
    for (every, why) in [
        ("-1", "expected 0 seconds or more"),
        ("x", "expected a number of seconds"),
        ("nan", "expected a number of seconds"),
        ("1e400", "expected at most 1000000000 seconds"),
    ] {
        let text = with(&["--checkpoint-every", every]);
        assert!(text.contains(every) && text.contains(why), "{text}");
    }
    let text = with(&["--ranks", "-o", &table, "--order", "queue"]);
    assert!(text.contains("need --order plies"), "{text}");
    for without in [&["--checkpoint-every", "5"][..], &["--order", "queue"]] {
        let text = error(
            &[&["solve", "shogi4", "--pieces", "PF"][..], without].concat(),
            2,
        );
        assert!(text.contains("--scratch"), "{text}");
    }
    let text = error(&["solve", "shogi4", "--pieces", "PF", "--resume"], 2);
    assert!(text.contains("--scratch"), "{text}");
    // A folder with something else in it.
    fs::create_dir_all(&scratch).expect("a folder");
    fs::write(Path::new(&scratch).join("letter.txt"), "dear").expect("written");
    let text = with(&[]);
    assert!(text.contains("letter.txt"), "{text}");
    fs::remove_dir_all(&scratch).expect("removed");
    let table_inside = format!("{scratch}/new/../a.yose");
    fs::create_dir_all(format!("{scratch}/new")).expect("a folder");
    let text = with(&["-o", &table_inside]);
    assert!(text.contains("emptied at the end"), "{text}");
    fs::remove_dir_all(&scratch).expect("removed");
    // A link in the place of the lock is not followed.
    #[cfg(unix)]
    {
        let victim = folder.0.join("victim");
        fs::write(&victim, "precious").expect("written");
        fs::create_dir_all(&scratch).expect("a folder");
        std::os::unix::fs::symlink(&victim, Path::new(&scratch).join("lock")).expect("linked");
        let text = with(&[]);
        assert!(text.contains("lock"), "{text}");
        assert_eq!(fs::read_to_string(&victim).expect("there"), "precious");
        fs::remove_dir_all(&scratch).expect("removed");
    }
    // The state of another game.
    let child = slow(&PFR, &scratch, &table, false, "0")
        .spawn()
        .expect("starts");
    kill_after(child, Path::new(&scratch), &generation(5));
    let text = error(
        &[
            "solve",
            "shogi4",
            "--pieces",
            "PF",
            "--metric",
            "wdl",
            "--scratch",
            &scratch,
            "--resume",
        ],
        2,
    );
    assert!(
        text.contains("another computation") && text.contains("pieces"),
        "{text}"
    );
    // Nobody is told to go on with what cannot be gone on with.
    let text = with(&["--order", "plies"]);
    assert!(
        text.contains("another folder") && !text.contains("--resume"),
        "{text}"
    );
    let text = with(&[]);
    assert!(text.contains("--resume goes on"), "{text}");
    let text = with(&["--resume", "--order", "plies"]);
    assert!(text.contains("order"), "{text}");
}

/// A small file system of its own, if we may mount one.
pub(crate) struct Disk(PathBuf);

impl Disk {
    pub(crate) fn new(path: &Path, size: &str) -> Option<Disk> {
        fs::create_dir_all(path).expect("a folder");
        let size = format!("size={size}");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "tmpfs"])
            .arg(path)
            .stderr(Stdio::null())
            .status();
        mounted
            .is_ok_and(|status| status.success())
            .then(|| Disk(path.to_owned()))
    }

    pub(crate) fn remount(&self, how: &str) {
        let done = Command::new("mount")
            .args(["-o", &format!("remount,{how}")])
            .arg(&self.0)
            .status();
        assert!(done.expect("mount runs").success());
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_loses_nothing() {
    let folder = Folder::new("full");
    let table = folder.file("a.yose");
    let expected = in_memory(&PFR[1..], &table);
    fs::remove_file(&table).expect("removed");
    let Some(disk) = Disk::new(&folder.0.join("disk"), "8m") else {
        eprintln!("skipped: no file system can be mounted here");
        return;
    };
    let scratch = folder.file("disk/scratch");
    let text = error(&pfr_in(&scratch), 2);
    assert!(text.contains("of disk") && text.contains("free"), "{text}");
    disk.remount("size=40m");
    let child = slow(&PFR, &scratch, &table, false, "0")
        .spawn()
        .expect("starts");
    let patience = Instant::now();
    while manifests(Path::new(&scratch)).len() < 2 && patience.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    // Another program fills the disk.
    let filler = folder.0.join("disk/filler");
    let mut file = fs::File::create(&filler).expect("created");
    while std::io::Write::write_all(&mut file, &[1; 4096]).is_ok() {}
    let output = child.wait_with_output().expect("ends");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(
        text.contains("No space left") && text.contains("--resume"),
        "{text}"
    );
    assert!(!Path::new(&table).exists());
    // Still full, and read-only.
    drop(file);
    disk.remount("ro");
    let output = slow(&PFR, &scratch, &table, true, "300")
        .output()
        .expect("runs");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("Read-only file system"), "{text}");
    disk.remount("rw");
    fs::remove_file(&filler).expect("removed");
    let output = slow(&PFR, &scratch, &table, true, "300")
        .output()
        .expect("runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(json(&["info", &table])["fingerprint"], expected.as_str());
}
