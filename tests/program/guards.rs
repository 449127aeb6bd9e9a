//! Folders are not trusted further than their checksums reach, and no result is lost.

use super::cli::{ran, stiction};
use super::folders::{self, SCENE, files, resume, run_block as run, verb};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use stiction_lab::output::folder::directory::RunDirectory;
use stiction_lab::output::folder::files::{Disk, Files, Handle};
use stiction_lab::output::folder::manifest::Manifest;
use stiction_lab::output::folder::{inspect, journal};
use stiction_lab::run::Run;
use stiction_scene::LoadOptions;
use stiction_scene::build::BuildOptions;

/// Writes a manifest with other text and a right checksum.
fn forge(folder: &Path, change: impl Fn(String) -> String) {
    let path = folder.join("manifest.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let body = change(text[..text.rfind("# CRC-32: ").unwrap()].to_string());
    let crc = crc32fast::hash(body.as_bytes());
    std::fs::write(path, format!("{body}# CRC-32: {crc:08x}\n")).unwrap();
}

/// A frame that is lost from any place of any file is not replaced by a later one.
#[test]
fn what_a_repair_lost_is_computed_again() {
    let home = tempfile::tempdir().unwrap();
    let (out, new) = (home.path().join("out"), home.path().join("new"));
    assert_eq!(run(&out, &[]).0, 0);
    let whole = files(&out);
    let mut resumed = 0;
    for (name, bytes) in &whole {
        for place in [bytes.len() / 3, bytes.len() - 9] {
            let mut damaged = bytes.clone();
            damaged[place] ^= 16;
            std::fs::write(out.join(name), &damaged).unwrap();
            let label = format!("{}, byte {place}", name.display());
            assert_eq!(verb("inspect", &out).0, 7, "{label}");
            assert_eq!(resume(&out, &[]).0, 7, "{label}");
            let (exit, _, said) = ran(stiction().arg("repair").arg(&out).arg("--out").arg(&new));
            if name != Path::new("manifest.toml") {
                assert_eq!(exit, 0, "{label}: {said}");
                assert_eq!(resume(&new, &[]).0, 0, "{label}");
                assert!(files(&new) == whole, "{label}");
                assert_eq!(verb("inspect", &new).0, 0, "{label}");
                resumed += 1;
            }
            let _ = std::fs::remove_dir_all(&new);
        }
        std::fs::write(out.join(name), bytes).unwrap();
    }
    assert!(resumed > 40, "{resumed}");
}

#[test]
fn a_run_that_is_complete_is_neither_shortened_nor_begun_anew() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    assert_eq!(run(&out, &[]).0, 0);
    let before = files(&out);
    let shorter = ["--set", "time.end=0.008"];
    let (exit, said) = resume(&out, &shorter);
    assert!(exit == 8 && said.contains("--force"), "{exit}: {said}");
    assert!(files(&out) == before);
    // no checkpoint of another end serves
    for entry in std::fs::read_dir(out.join("checkpoints")).unwrap() {
        std::fs::remove_file(entry.unwrap().path()).unwrap();
    }
    let (exit, said) = verb("inspect", &out);
    assert!(exit == 7 && said.contains("checkpoints/"), "{exit}: {said}");
    let before = files(&out);
    let (exit, said) = resume(&out, &["--set", "time.end=0.024"]);
    assert!(exit == 8 && said.contains("begin anew"), "{exit}: {said}");
    assert!(files(&out) == before);
    let (exit, said) = resume(&out, &["--set", "time.end=0.008", "--force"]);
    assert_eq!(exit, 0, "{said}");
    let short = home.path().join("short");
    assert_eq!(run(&short, &shorter).0, 0);
    let of = |folder: &Path| std::fs::read(folder.join("trajectory/position.npy")).unwrap();
    assert!(of(&out) == of(&short));
}

#[test]
fn another_program_resumes_by_force_alone() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    assert_eq!(run(&out, &["--max-wall", "0s"]).0, 9);
    let begun = std::fs::read_to_string(out.join("manifest.toml")).unwrap();
    let sources = begun.split(" of sources ").nth(1).unwrap()[..12].to_string();
    forge(&out, |text| text.replace(&sources, "0123456789ab"));
    let (exit, said) = resume(&out, &[]);
    assert!(exit == 7 && said.contains("0123456789ab") && said.contains("--force"), "{said}");
    // begun as by another program
    let (mut manifest, began) =
        (Manifest::read(begun.as_bytes()).unwrap(), home.path().join("new"));
    manifest.stiction = "another program".into();
    let options = LoadOptions { set: manifest.settings.set.clone(), ..LoadOptions::default() };
    let loaded = stiction_scene::load(Path::new(SCENE[0]), &options).unwrap();
    let run = Run::new(&loaded.scene, &BuildOptions::default()).unwrap();
    RunDirectory::begin(Arc::new(Disk), &began, &run, manifest).unwrap();
    assert_eq!(resume(&began, &[]).0, 7);
    let (exit, said) = resume(&began, &["--force"]);
    assert_eq!(exit, 0, "{said}");
    let (exit, said) = verb("inspect", &began);
    assert!(exit == 0 && said.contains("another program") && said.contains(&sources), "{said}");
    assert_eq!(resume(&began, &["--force"]).0, 0, "it is complete");
}

/// Names that lead out of the folder are refused, by whatever reads it.
#[test]
fn a_manifest_names_files_of_a_run_alone() {
    let home = tempfile::tempdir().unwrap();
    let (out, new) = (home.path().join("out"), home.path().join("new"));
    assert_eq!(run(&out, &[]).0, 0);
    let victim = home.path().join("victim.npy");
    std::fs::write(&victim, "mine").unwrap();
    let sound = std::fs::read(out.join("manifest.toml")).unwrap();
    for name in ["../victim.npy", victim.to_str().unwrap(), "trajectory/../../victim.npy"] {
        for key in ["\"trajectory/time.npy\"", "[files.\"run.json\"]"] {
            let changed = match key.starts_with('[') {
                true => format!("[files.{name:?}]"),
                false => format!("{name:?}"),
            };
            forge(&out, |text| text.replacen(key, &changed, 1));
            let mut repair = stiction();
            repair.arg("repair").arg(&out).arg("--out").arg(&new);
            for (exit, said) in
                [verb("inspect", &out), resume(&out, &[]), (ran(&mut repair).0, ran(&mut repair).2)]
            {
                assert!(exit == 7 && said.contains("no file of a run"), "{exit}: {said}");
            }
            assert!(!new.exists());
            std::fs::write(out.join("manifest.toml"), &sound).unwrap();
        }
    }
    assert_eq!(std::fs::read(victim).unwrap(), b"mine");
    for (key, other) in [
        ("end = 0.02", "end = nan"),
        ("end = 0.02", "end = -inf"),
        ("\"completed\"", "\"banana\""),
        ("particles =", "particles = 9000000000000000000 #"),
    ] {
        forge(&out, |text| text.replacen(key, other, 1));
        let (exit, said) = verb("inspect", &out);
        assert!(exit == 7 && said.contains("its `"), "{other}: {exit}: {said}");
        std::fs::write(out.join("manifest.toml"), &sound).unwrap();
    }
}

/// Pipes, devices and folders in the place of files are not read.
#[cfg(target_os = "linux")]
#[test]
fn only_regular_files_are_read() {
    let home = tempfile::tempdir().unwrap();
    let (out, new) = (home.path().join("out"), home.path().join("new"));
    assert_eq!(run(&out, &[]).0, 0);
    for (name, bytes) in files(&out) {
        let path = out.join(&name);
        for kind in ["pipe", "device", "folder"] {
            std::fs::remove_file(&path).unwrap();
            match kind {
                "pipe" => {
                    let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
                    assert!(made.success());
                }
                "device" => std::os::unix::fs::symlink("/dev/zero", &path).unwrap(),
                _ => std::fs::create_dir(&path).unwrap(),
            }
            let label = format!("{kind} {}", name.display());
            assert_eq!(verb("inspect", &out).0, 7, "{label}");
            assert_eq!(resume(&out, &[]).0, 7, "{label}");
            let (exit, _, said) = ran(stiction().arg("repair").arg(&out).arg("--out").arg(&new));
            assert!([0, 5, 7].contains(&exit), "{label}: {exit}: {said}");
            let _ = std::fs::remove_dir_all(&new);
            match kind {
                "folder" => std::fs::remove_dir(&path).unwrap(),
                _ => std::fs::remove_file(&path).unwrap(),
            }
            std::fs::write(&path, &bytes).unwrap();
        }
    }
}

/// A folder in which no run was begun says what it is; a journal that cannot be read says why.
#[test]
fn a_folder_without_a_run_says_what_it_is() {
    let home = tempfile::tempdir().unwrap();
    let (out, absent, sweep) =
        (home.path().join("out"), home.path().join("absent"), home.path().join("sweep"));
    std::fs::create_dir_all(&sweep).unwrap();
    std::fs::write(sweep.join("sweep.json"), "{}").unwrap();
    for (folder, words) in [
        (&absent, "there is no such folder"),
        (&sweep, "it holds a sweep"),
        (&home.path().to_path_buf(), "there is no manifest.toml"),
    ] {
        let (exit, said) = resume(folder, &[]);
        assert!(exit == 7 && said.contains(words), "{}: {exit}: {said}", folder.display());
    }
    assert!(!absent.exists());
    let stopped = run(&out, &["--max-wall", "0ms"]);
    assert_eq!(stopped.0, 9, "{}", stopped.1);
    let journal = out.join("trajectory/journal.bin");
    std::fs::remove_file(&journal).unwrap();
    std::fs::create_dir(&journal).unwrap();
    let (exit, said) = resume(&out, &[]);
    assert!(exit == 7 && said.contains("journal.bin`: it is a directory"), "{exit}: {said}");
}

/// A disk that can only be read.
struct ReadOnly;

impl Files for ReadOnly {
    fn create(&self, path: &Path) -> std::io::Result<Box<dyn Handle>> {
        panic!("{} is created", path.display())
    }

    fn open(&self, path: &Path) -> std::io::Result<Box<dyn Handle>> {
        panic!("{} is opened for writing", path.display())
    }

    fn view(&self, path: &Path) -> std::io::Result<Box<dyn Handle>> {
        Disk.view(path)
    }

    fn rename(&self, _: &Path, to: &Path) -> std::io::Result<()> {
        panic!("{} is replaced", to.display())
    }

    fn remove(&self, path: &Path) -> std::io::Result<()> {
        panic!("{} is removed", path.display())
    }

    fn make_folder(&self, path: &Path) -> std::io::Result<()> {
        panic!("{} is made", path.display())
    }

    fn list(&self, path: &Path) -> std::io::Result<Vec<String>> {
        Disk.list(path)
    }

    fn sync_folder(&self, path: &Path) -> std::io::Result<()> {
        panic!("{} is synced", path.display())
    }
}

#[test]
fn whoever_may_only_read_can_inspect() {
    let home = tempfile::tempdir().unwrap();
    for (name, more) in [("whole", "1h"), ("stopped", "0s")] {
        let out = home.path().join(name);
        run(&out, &["--max-wall", more]);
        let (_, findings) = inspect::verify(&ReadOnly, &out).unwrap();
        assert!(findings.len() > 20);
        assert!(findings.iter().all(|finding| finding.fault.is_none()), "{findings:?}");
    }
}

/// A journal that is lost behind frames is damage; one of a run that was stopped before it made any is none.
#[test]
fn frames_without_a_journal_are_damage() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    run(&out, &["--max-wall", "0s", "--checkpoint-every", "0"]);
    for entry in std::fs::read_dir(out.join("checkpoints")).unwrap() {
        std::fs::remove_file(entry.unwrap().path()).unwrap();
    }
    forge(&out, |text| text.replacen("\"interrupted\"", "\"running\"", 1));
    for lost in [Some(""), None] {
        match lost {
            Some(empty) => std::fs::write(out.join("trajectory/journal.bin"), empty).unwrap(),
            None => std::fs::remove_file(out.join("trajectory/journal.bin")).unwrap(),
        }
        let (exit, said) = verb("inspect", &out);
        assert!(exit == 7 && said.contains("its head is damaged"), "{exit}: {said}");
    }
}

/// A limit of time ends a step also where orders are observed, which are not cut short themselves.
#[test]
fn a_run_whose_order_is_observed_stops_within_a_step() {
    let home = tempfile::tempdir().unwrap();
    let sets = ["integrator.method=tr-bdf2", "time.step=1e-2", "time.output=10", "time.end=100"];
    let scene: Vec<&str> = ["scenes/soft_box_pushed.toml"]
        .into_iter()
        .chain(sets.iter().flat_map(|set| ["--set", set]))
        .chain(["--observe-order"])
        .collect();
    let (exit, said) = folders::run(&scene, &home.path().join("out"), &["--max-wall", "200ms"]);
    assert!(exit == 9 && said.contains("to resume"), "{exit}: {said}");
}

/// Killed between the lock and the name of the manifest: the same command begins again.
#[test]
fn a_run_that_had_hardly_begun_is_begun_again() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    for folder in ["trajectory", "checkpoints"] {
        std::fs::create_dir_all(out.join(folder)).unwrap();
    }
    std::fs::write(out.join("run.lock"), "").unwrap();
    std::fs::write(out.join("manifest.toml.tmp"), "# results of").unwrap();
    let (exit, said) = resume(&out, &[]);
    assert!(exit == 7 && said.contains("stiction run SCENE --out"), "{said}");
    let (exit, said) = run(&out, &[]);
    assert_eq!(exit, 0, "{said}");
    assert!(!out.join("manifest.toml.tmp").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_scene_whose_name_is_no_text_is_resumed() {
    use std::os::unix::ffi::OsStringExt;
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let scene = home.path().join(std::ffi::OsString::from_vec(b"odd\xff.toml".to_vec()));
    std::fs::copy("scenes/sliding_block.toml", &scene).unwrap();
    let begin =
        |more: &[&str]| ran(stiction().arg("run").arg(&scene).arg("--out").arg(&out).args(more));
    assert_eq!(begin(&["--set", "time.end=0.02", "--max-wall", "0s"]).0, 9);
    let (exit, said) = resume(&out, &[]);
    assert_eq!(exit, 0, "{said}");
}

/// A changed job of a sweep is found, and run again.
#[test]
fn damaged_jobs_of_a_sweep_are_run_again() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let sweep = || {
        let words = ["sweep", SCENE[0], "--set", SCENE[2], "--vary", "body.0.mass=1,2,3", "--out"];
        let (exit, _, said) = ran(stiction().args(words).arg(&out));
        (exit, said)
    };
    assert_eq!(sweep().0, 0);
    assert_eq!(verb("inspect", &out).0, 0);
    let whole: BTreeMap<_, _> =
        files(&out).into_iter().filter(|(n, _)| !n.starts_with("cpu")).collect();
    for (name, bytes) in whole.iter().filter(|(name, _)| name.starts_with("jobs")) {
        for place in [9, bytes.len() / 2, bytes.len() - 20] {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            std::fs::write(out.join(name), &damaged).unwrap();
            let (exit, said) = verb("inspect", &out);
            assert!(exit == 7 && said.contains("jobs"), "{exit}: {said}");
            let [half, notes] = ["json.0123456789abcdef.tmp", "notes.tmp"]
                .map(|ending| out.join(name).with_extension(ending));
            std::fs::write(&half, "a half-written job").unwrap();
            std::fs::write(&notes, "mine").unwrap();
            let (exit, said) = sweep();
            assert!(exit == 0 && said.contains("not what was written"), "{exit}: {said}");
            assert!(!half.exists());
            std::fs::remove_file(notes).expect("it is somebody's");
            let mut again = files(&out);
            again.retain(|name, _| !name.starts_with("cpu"));
            assert!(again == whole, "{}", name.display());
        }
    }
    std::fs::write(out.join("cpu/00001"), "0.1\n").unwrap();
    let collected = ran(stiction().args(["sweep", "collect"]).arg(&out));
    for said in [verb("inspect", &out).1, collected.2, sweep().1] {
        assert!(said.contains("the results of jobs 1 are not what was written"), "{said}");
    }
    assert_eq!(verb("inspect", &out).0, 0);
    let (plan, text) = (out.join("sweep.json"), &whole[Path::new("sweep.json")]);
    std::fs::write(&plan, String::from_utf8_lossy(text).replace("\"3\"", "\"4\"")).unwrap();
    for (exit, said) in [verb("inspect", &out), sweep()] {
        assert!(exit != 0 && said.contains("not what was written"), "{exit}: {said}");
    }
}

/// Files that an earlier run left in a folder are removed, or seen.
#[test]
fn files_of_an_earlier_run_do_not_stay() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    assert_eq!(run(&out, &["--contacts"]).0, 0);
    let contacts = out.join("trajectory/contacts.npy");
    let earlier = std::fs::read(&contacts).unwrap();
    assert_eq!(run(&out, &["--force"]).0, 0);
    assert!(!contacts.exists());
    assert_eq!(verb("inspect", &out).0, 0);
    std::fs::write(&contacts, earlier).unwrap();
    let (exit, said) = verb("inspect", &out);
    assert!(exit == 7 && said.contains("another one") && said.contains("remove"), "{said}");
}

/// A later checkpoint of a killed run does not serve an end before it: nothing begins anew unasked.
#[test]
fn a_killed_run_is_not_begun_anew_by_an_earlier_end() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    assert_eq!(run(&out, &[]).0, 0);
    // as if it had been killed at .008 s, behind a checkpoint that no run to .016 s makes
    forge(&out, |text| text.replace("status = \"completed\"", "status = \"running\""));
    let path = out.join("trajectory/journal.bin");
    let whole = std::fs::read(&path).unwrap();
    let two = |length: &usize| {
        let read = journal::read(&whole[..*length]);
        read.damaged_at.is_none() && read.entries.len() == 2
    };
    let length = (0..whole.len()).find(two).unwrap();
    std::fs::write(&path, &whole[..length]).unwrap();
    let before = files(&out);
    let (exit, said) = resume(&out, &["--set", "time.end=0.016"]);
    assert!(exit == 8 && said.contains("begin anew"), "{exit}: {said}");
    assert!(files(&out) == before);
    assert_eq!(resume(&out, &["--set", "time.end=0.016", "--force"]).0, 0);
}

/// CPU seconds belong to their job, and a folder that cannot be read is not one without results.
#[test]
fn folders_of_a_sweep_belong_to_its_jobs() {
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("out");
    let sweep = || {
        let words = ["sweep", SCENE[0], "--set", SCENE[2], "--vary", "body.0.mass=1,2,3", "--out"];
        ran(stiction().args(words).arg(&out))
    };
    assert_eq!(sweep().0, 0);
    let second = std::fs::read(out.join("cpu/00002")).unwrap();
    for text in [Some(&second), None] {
        let path = out.join("cpu/00001");
        match text {
            Some(text) => std::fs::write(path, text).unwrap(),
            None => std::fs::remove_file(path).unwrap(),
        }
        let (exit, said) = verb("inspect", &out);
        assert!(exit == 7 && said.contains("jobs 1 "), "{exit}: {said}");
        assert_eq!(sweep().0, 0);
        assert_eq!(verb("inspect", &out).0, 0);
    }
    // a folder that cannot be read is not one without results
    std::fs::rename(out.join("jobs"), home.path().join("jobs")).unwrap();
    std::fs::write(out.join("jobs"), "").unwrap();
    let collected = ran(stiction().args(["sweep", "collect"]).arg(&out));
    for (exit, said) in [verb("inspect", &out), (collected.0, collected.2)] {
        assert!(exit == 7 && said.contains("jobs cannot be read"), "{exit}: {said}");
    }
    std::fs::remove_file(out.join("jobs")).unwrap();
    std::fs::rename(home.path().join("jobs"), out.join("jobs")).unwrap();
}

/// Results of another sweep are not taken for those of this one.
#[test]
fn a_job_belongs_to_its_sweep() {
    let home = tempfile::tempdir().unwrap();
    let sweep = |name: &str, end: &str| {
        let out = home.path().join(name);
        let words = ["sweep", SCENE[0], "--set", end, "--vary", "body.0.mass=1,2", "--out"];
        let (exit, _, said) = ran(stiction().args(words).arg(&out));
        assert_eq!(exit, 0, "{said}");
        out
    };
    let (one, other) = (sweep("one", "time.end=0.02"), sweep("other", "time.end=0.01"));
    let job = "jobs/00001.json";
    let own = std::fs::read(one.join(job)).unwrap();
    std::fs::copy(other.join(job), one.join(job)).unwrap();
    assert_eq!(verb("inspect", &one).0, 7);
    sweep("one", "time.end=0.02");
    assert!(std::fs::read(one.join(job)).unwrap() == own);
}
