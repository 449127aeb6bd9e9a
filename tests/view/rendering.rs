//! Rendering to files: whole, the same twice, and as `[view]` says.

use crate::playing::{BOX, alone, base, with};
use crate::scenes;
use crate::support::tools::{at_hand, starts};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use stiction_core::math::Vector;
use stiction_scene::description::{Follow, Theme, View};
use stiction_scene::sections::LAYERS;
use stiction_view::film::FilmError;
use stiction_view::picture::{PictureError, Rendered, Shot, render, replaces, still};
use stiction_view::play::session::Session;
use stiction_view::recorder::Recorder;
use stiction_view::snapshot::Snapshot;
use stiction_view::stage::Stage;
use stiction_view::viewpoint;

fn shot() -> Shot {
    Shot { width: 320, height: 200, to: 0.1, rate: 50, ..Shot::default() }
}

/// A box that slides over a floor.
fn sliding() -> Session {
    let set = ["body.box.velocity=[0.5,0,0]", "integrator.method=rk4"];
    Session::start(alone(with(base(BOX), &set))).unwrap()
}

fn film(run: &mut Session, shot: &Shot, path: &Path) -> Result<Rendered, PictureError> {
    let mut last = 0.0;
    let mut progress = |share: f64| {
        assert!((last..=1.0 + 1e-9).contains(&share), "{share} after {last}");
        last = share;
        ControlFlow::Continue(())
    };
    render(run, shot, path, &mut progress)
}

/// Whether films as MP4 can be made and looked at here; says so where not.
pub fn has_ffmpeg() -> bool {
    let both = starts("ffmpeg", "-version") && starts("ffprobe", "-version");
    at_hand(both, "films as MP4 are not tested without ffmpeg and ffprobe")
}

/// Width, height and number of frames of a film, from ffprobe.
pub fn probed(path: &Path) -> [u32; 3] {
    let mut ffprobe = Command::new("ffprobe");
    ffprobe.args(["-v", "error", "-count_frames", "-select_streams", "v:0", "-of", "csv=p=0"]);
    ffprobe.args(["-show_entries", "stream=width,height,nb_read_frames"]).arg(path);
    let text = String::from_utf8(ffprobe.output().unwrap().stdout).unwrap();
    let numbers: Vec<u32> = text.trim().split(',').map(|n| n.parse().unwrap()).collect();
    numbers.try_into().unwrap()
}

/// Stills and films come out whole, the same twice, and nothing unfinished stays behind.
#[test]
fn files_are_whole_and_the_same_twice() {
    let folder = tempfile::tempdir().unwrap();
    for (name, pictures, seconds) in [("a.png", 1, 0.0), ("a.gif", 6, 0.12), ("a.apng", 6, 0.12)] {
        let render_to = |name: &str| {
            let path = folder.path().join(name);
            let mut run = sliding();
            let done = film(&mut run, &shot(), &path).unwrap();
            assert_eq!((done.pictures, done.seconds, done.failures.len()), (pictures, seconds, 0));
            assert!((run.time() - 0.1).abs() < 1e-9);
            let bytes = std::fs::read(path).unwrap();
            assert_eq!(done.bytes, bytes.len() as u64);
            bytes
        };
        assert_eq!(render_to(name), render_to(&format!("again.{name}")));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 6);
}

fn decoded(path: &Path) -> (png::OutputInfo, Vec<u8>) {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (info, pixels)
}

/// A numbered name gives a file for each picture; without a background the rim of the sky is clear,
/// the box is opaque, and laid over the sky it is the picture with one.
#[test]
fn a_sequence_has_a_file_for_each_picture_and_no_background_where_none_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frame_%03d.png");
    let clear = Shot { transparent: true, ..shot() };
    assert_eq!(replaces(&clear, &path), None);
    let done = film(&mut sliding(), &clear, &path).unwrap();
    assert_eq!((done.pictures, done.seconds), (6, 0.12));
    let mut files: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|f| f.unwrap().file_name()).collect();
    files.sort();
    assert_eq!((files.len(), files[5].to_str()), (6, Some("frame_005.png")));
    std::fs::remove_file(folder.path().join("frame_000.png")).unwrap();
    let second = folder.path().join("frame_001.png");
    assert_eq!(replaces(&clear, &path), Some(second.clone()));
    let (info, pixels) = decoded(&second);
    assert_eq!((info.width, info.color_type), (320, png::ColorType::Rgba));
    let opacity = |x: usize, y: usize| pixels[4 * (320 * y + x) + 3];
    assert_eq!([opacity(319, 0), opacity(160, 0)], [0, 0], "the sky");
    assert!(pixels.chunks(4).filter(|pixel| pixel[3] == 255).count() > 400, "the box");
    let whole = folder.path().join("whole.png");
    film(&mut sliding(), &Shot { to: 0.02, ..shot() }, &whole).unwrap();
    let (_, with_sky) = decoded(&whole);
    let opaque = |k: &usize| pixels[4 * k + 3] == 255;
    for k in (0..320 * 200).filter(opaque) {
        // eight bits know an opacity to half a step
        let (a, b) = (&pixels[4 * k..4 * k + 3], &with_sky[3 * k..3 * k + 3]);
        assert!(a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) <= 1), "pixel {k}: {a:?}, {b:?}");
    }
    let refused = film(&mut sliding(), &clear, &folder.path().join("a.gif")).unwrap_err();
    assert!(refused.to_string().contains("frame_%04d.png"), "{refused}");
}

/// An MP4 decodes to as many pictures as went in, with even sides.
#[test]
fn an_mp4_has_all_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mp4");
    if !has_ffmpeg() {
        return;
    }
    let done = film(&mut sliding(), &Shot { width: 321, ..shot() }, &path);
    assert_eq!(done.unwrap().pictures, 6);
    assert_eq!(probed(&path), [320, 200, 6]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Nonsense is refused in words, with numbers, and leaves nothing behind.
#[test]
fn nonsense_is_refused_and_an_interrupted_film_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let text = |shot: Shot, name: &str| {
        let mut run = sliding();
        film(&mut run, &shot, &folder.path().join(name)).unwrap_err().to_string()
    };
    let speed =
        |speed: f64| Shot { view: View { speed: Some(speed), ..View::default() }, ..shot() };
    assert!(text(shot(), "a.bmp").contains(".png, .gif, .apng or .mp4"));
    assert!(text(Shot { width: 7, ..shot() }, "a.png").contains("7 pixels"));
    assert!(text(Shot { scale: 0.1, ..shot() }, "a.png").contains("0.1"));
    assert!(text(Shot { rate: 90, ..shot() }, "a.gif").contains("90"));
    assert!(text(Shot { rate: 0, ..shot() }, "a.apng").contains("1 to 120"));
    assert!(text(Shot { from: 2.0, ..shot() }, "a.gif").contains("2 to 0.1"));
    assert!(text(Shot { to: 1e9, ..shot() }, "a.gif").contains("100000"));
    assert!(text(speed(0.0), "a.gif").contains("greater than zero"));
    assert!(text(shot(), "missing/a.gif").contains("missing"));
    assert!(text(shot(), "missing/a.mp4").contains("missing"));
    for name in ["a.png", "a.gif", "a.apng", "a.mp4"] {
        let mut run = sliding();
        let mut count = 0;
        let mut progress = |_| {
            count += 1;
            if count > 8 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        match render(&mut run, &shot(), &folder.path().join(name), &mut progress) {
            Err(PictureError::Stopped { time }) => assert!(time > 0.0, "{name}"),
            Err(PictureError::Write { cause: FilmError::NoFfmpeg, .. }) => {}
            other => panic!("{name}: {other:?}"),
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// The last picture of a run that fails stays for a second.
#[test]
fn a_failure_is_seen_for_a_second() {
    let folder = tempfile::tempdir().unwrap();
    let wild =
        ["time.step=0.1", "time.output=0.1", "time.end=200", "integrator.method=explicit-euler"];
    let mut run = Session::start(alone(with(base(BOX), &wild))).unwrap();
    let path = folder.path().join("a.apng");
    let shot = Shot { to: 100.0, rate: 10, ..shot() };
    let done = film(&mut run, &shot, &path).unwrap();
    assert!(!done.failures.is_empty());
    assert!((done.seconds - (done.pictures as f64 / 10.0 + 0.9)).abs() < 1e-9, "{done:?}");
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let reader = png::Decoder::new(file).read_info().unwrap();
    let counted = reader.info().animation_control().unwrap().num_frames;
    assert_eq!(u64::from(counted), done.pictures);
}

/// The figures of a film are those of the scene's frames, from t = 0 on, whatever the times of its
/// pictures, and change no bit of the run.
#[test]
fn a_film_keeps_its_history() {
    let mut run = sliding();
    let mut never = |_| ControlFlow::Continue(());
    assert!(run.film_to(0.05, &mut never).is_continue());
    assert!(run.film_to(0.1, &mut never).is_continue());
    let display = run.pictures().remove(0);
    let samples = display.history.samples();
    assert_eq!(samples.len(), 11, "t = 0 and the frames of the scene");
    let last = &samples[samples.len() - 1];
    assert_eq!((samples[0].time, last.time), (0.0, display.snapshot.state.time));
    assert!(samples.windows(2).all(|pair| pair[0].time < pair[1].time));
    assert_eq!(last.energies, display.snapshot.energies);
    assert!(samples.iter().any(|s| s.hlambda > 0.0 && s.creep[0][0] > 0.0), "{last:?}");
    let mut plain = sliding();
    for time in [0.003, 0.013, 0.0504, 0.0988, 0.1] {
        assert!(plain.film_to(time, &mut never).is_continue());
        let shown = plain.pictures().remove(0);
        let last = shown.history.samples().last().unwrap().clone();
        assert_eq!(last.time, shown.snapshot.state.time, "the picture at {time} s");
    }
    let other = plain.pictures().remove(0).history.samples().to_vec();
    assert_eq!(other.len(), samples.len());
    for (a, b) in other.iter().zip(samples) {
        // debug text, since a creep may be NaN
        assert_eq!(format!("{:?} {:?}", a.time, a.creep), format!("{:?} {:?}", b.time, b.creep));
    }
    assert!(plain.panes()[0].simulation().state == display.snapshot.state);
}

fn seen(view: View) -> u64 {
    let shot = Shot { width: 900, height: 600, to: 0.1, view, ..Shot::default() };
    still(&mut sliding(), &shot, &mut |_| ControlFlow::Continue(())).unwrap().canvas.hash()
}

/// Every key of `[view]` changes the picture; the last word on a layer counts.
#[test]
fn the_view_is_seen() {
    let usual = || View::default();
    let plain = seen(usual());
    for view in [
        View { yaw: Some(40.0), ..usual() },
        View { pitch: Some(60.0), ..usual() },
        View { pitch: Some(90.0), ..usual() },
        View { zoom: 2.0, ..usual() },
        View { target: Some(Vector::new(0.3, 0.0, 0.1)), ..usual() },
        View { orthographic: true, ..usual() },
        View { theme: Theme::Dark, ..usual() },
        View { layers: vec![("panel", false)], ..usual() },
        View { layers: vec![("springs", false)], ..usual() },
        View { layers: vec![("normals", false)], ..usual() },
    ] {
        assert_ne!(seen(view.clone()), plain, "{view:?}");
    }
    assert_eq!(seen(View { layers: vec![("panel", false), ("panel", true)], ..usual() }), plain);
    // the usual pitch of a planar scene
    assert_eq!(seen(View { pitch: Some(9.0), ..usual() }), plain);
}

/// Bodies fill the picture from every side; at zoom 2 the camera is half as far.
#[test]
fn the_camera_frames_from_where_it_looks() {
    let run = scenes::leaning_box();
    let snapshot = Snapshot::of(&run);
    let mut stage = Stage::new(900, 600, 1.0);
    let mut distances = Vec::new();
    for yaw in [0.0, 90.0] {
        let view = View { yaw: Some(yaw), pitch: Some(0.0), ..View::default() };
        viewpoint::apply(&view, &mut stage, &snapshot);
        let camera = stage.camera;
        distances.push(camera.distance);
        viewpoint::apply(&View { zoom: 2.0, ..view }, &mut stage, &snapshot);
        assert_eq!(stage.camera.distance, camera.distance / 2.0);
        assert_eq!((stage.camera.target, stage.camera.yaw), (camera.target, camera.yaw));
    }
    assert!((distances[0] - distances[1]).abs() > 0.02 * distances[0], "{distances:?}");
}

/// A camera that follows nothing stays; one that follows a body starts where it is told to look.
#[test]
fn the_camera_follows_what_it_is_told() {
    let begin = Snapshot::of(sliding().panes()[0].simulation());
    let target = Vector::new(0.2, 0.0, 0.3);
    let mut moved = Vec::new();
    for follow in [Follow::Nothing, Follow::Body(0), Follow::Body(7)] {
        let mut stage = Stage::new(900, 600, 1.0);
        let view = View { follow, target: Some(target), ..View::default() };
        viewpoint::apply(&view, &mut stage, &begin);
        let display = sliding().pictures().remove(0);
        stage.draw(std::slice::from_ref(&display));
        assert_eq!(stage.camera.target, target, "{follow:?} jumps at the start");
        let mut away = display.clone();
        away.snapshot.state.positions.iter_mut().for_each(|p| p.x += 10.0);
        stage.draw(std::slice::from_ref(&away));
        moved.push(stage.camera.target.x - target.x);
        stage.go_home();
        assert!((stage.camera.target - target).norm() < 1e-12, "{follow:?} is back at the start");
    }
    assert_eq!([moved[0], moved[2]], [0.0, 0.0]);
    assert!((9.0..10.0).contains(&moved[1]), "{moved:?}");
}

/// The stage has every layer of the scene format.
#[test]
fn every_layer_is_known() {
    for layer in LAYERS {
        let mut stage = Stage::new(64, 48, 1.0);
        let flags = |s: &Stage| (s.look, s.panel, s.plots, s.energies);
        viewpoint::look(&View { layers: vec![(layer, true)], ..View::default() }, &mut stage);
        let on = flags(&stage);
        viewpoint::look(&View { layers: vec![(layer, false)], ..View::default() }, &mut stage);
        assert_ne!(flags(&stage), on, "{layer}");
    }
}

/// A recorded film has the clock's length in every format, also when the window changes its size.
#[test]
fn recordings_are_films() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = Stage::new(320, 200, 1.0);
    let display = sliding().pictures().remove(0);
    let mut record = |name: &str| {
        let path = folder.path().join(name);
        let mut recorder = Recorder::start(&path, (320, 200), 20)?;
        for k in 0..60u64 {
            stage.resize(320 + 40 * (k as usize / 50), 200);
            stage.camera.orbit(0.05, 0.0);
            stage.draw(std::slice::from_ref(&display));
            recorder.add(&stage.canvas, Duration::from_micros(5_000_000 + 16_667 * k));
        }
        assert_eq!(recorder.length(), Duration::from_secs(1));
        recorder.finish()
    };
    let (gif, pictures) = record("a.gif").unwrap();
    let mut decoder =
        gif::DecodeOptions::new().read_info(std::fs::File::open(gif).unwrap()).unwrap();
    let (mut hundredths, mut count) = (0, 0);
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        hundredths += u32::from(frame.delay);
        count += 1;
    }
    assert_eq!((hundredths, count), (100, pictures));
    let (apng, pictures) = record("a.apng").unwrap();
    let file = std::io::BufReader::new(std::fs::File::open(apng).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let counted = reader.info().animation_control().unwrap().num_frames;
    assert_eq!(u64::from(counted), pictures);
    let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
    let mut frames = 0;
    for _ in 0..counted {
        reader.next_frame(&mut buffer).unwrap();
        frames += u32::from(reader.info().frame_control().unwrap().delay_num);
    }
    assert_eq!(frames, 20);
    if has_ffmpeg() {
        let (mp4, _) = record("a.mp4").unwrap();
        assert_eq!(probed(&mp4), [320, 200, 20]);
    }
    let refused = |name: &str, size, rate| {
        Recorder::start(&folder.path().join(name), size, rate).err().unwrap().to_string()
    };
    assert!(refused("a.avi", (320, 200), 20).contains(".mp4"));
    assert!(refused("a.gif", (320, 200), 60).contains("60"));
    assert!(refused("a.gif", (3, 200), 20).contains("3 x 200"));
    assert!(
        std::fs::read_dir(folder.path())
            .unwrap()
            .all(|file| { !file.unwrap().file_name().to_string_lossy().ends_with("partial") })
    );
}

/// A film shows the time between its bounds, both included.
#[test]
fn a_film_has_the_pictures_of_its_range() {
    let folder = tempfile::tempdir().unwrap();
    let part = Shot { from: 0.05, to: 0.1, ..shot() };
    let rate = f64::from(part.rate);
    let done = film(&mut sliding(), &part, &folder.path().join("a.gif")).unwrap();
    assert_eq!(done.pictures, (0.05 * rate) as u64 + 1);
}
