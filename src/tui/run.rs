//! The loop: one event at a time, drawn when something changed.

use std::future::poll_fn;
use std::io;
use std::mem::ManuallyDrop;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use crossterm::event::{Event, EventStream};
use crossterm::execute;
use crossterm::terminal::{BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate};
use futures_util::{FutureExt as _, StreamExt as _};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::AbortHandle;
use tokio::time::MissedTickBehavior;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGSTOP, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;

use super::clipboard;
use super::editor::Edit;
use super::hits::Hits;
use super::incoming::Pointers;
use super::message::{Effect, Message};
use super::model::{Model, World};
use super::outcome::Walk;
use super::save;
use super::stray::Stray;
use super::swept::Wanted;
use super::terminal::{self, Guard};
use super::update::update;
use super::view::view_with_hits;
use super::{Desk, Exit, Opened, Opening, Options, Record, Remember};
use crate::world::{Seen, Watch};

/// How often the clock moves while something is waited for.
const TENTH: Duration = Duration::from_millis(100);

type Screen = Terminal<CrosstermBackend<io::Stdout>>;

/// Runs the explorer on the terminal until it is left.
///
/// # Errors
/// The terminal cannot be used.
pub fn run(opening: Opening, options: Options) -> io::Result<Exit> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let guard = Guard::take(options.mouse)?;
    let watchdog = Watchdog::start();
    let exit = runtime.block_on(explore(opening, options));
    drop(guard);
    drop(watchdog);
    // A lookup that is still running has no one to answer to.
    runtime.shutdown_background();
    exit
}

/// So long the loop has to end by itself once it is told to.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Ends the program where its loop does not: a terminal that is closed while keys wait
/// keeps whoever reads it for ever.
struct Watchdog(Option<signal_hook::iterator::Handle>);

impl Watchdog {
    fn start() -> Self {
        let Ok(mut signals) = Signals::new([SIGHUP, SIGTERM]) else { return Self(None) };
        let handle = signals.handle();
        std::thread::spawn(move || {
            let Some(signal) = signals.forever().next() else { return };
            std::thread::sleep(PATIENCE);
            if !signals.is_closed() {
                terminal::restore();
                std::process::exit(128 + signal);
            }
        });
        Self(Some(handle))
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        if let Some(handle) = &self.0 {
            handle.close();
        }
    }
}

/// An opened world with all that takes time to work out.
fn whole(opened: Result<Opened, String>) -> Result<Opened, String> {
    opened.map(|opened| Opened { pointers: Pointers::of_reader(&opened.reader), ..opened })
}

/// Work away from the screen has panicked. The hook has given the terminal back
/// and said why.
struct Panicked;

type Finished = Result<Message, Panicked>;

struct Explorer {
    model: Model,
    stray: Stray,
    opening: Opening,
    done: UnboundedSender<Finished>,
    /// What is under way for the last question.
    tasks: Vec<AbortHandle>,
    /// Never dropped: the guard gives the terminal back, and where that is gone the
    /// screen's own end would complain to it, and panic.
    screen: ManuallyDrop<Screen>,
    /// A file to give the terminal to the editor for.
    edit: Option<Edit>,
    watch: Option<Watch>,
    /// The folder to follow, and how it was when the world was first read.
    watched: Option<PathBuf>,
    seen: Arc<Mutex<Option<Seen>>>,
    /// What stands where on the last frame.
    hits: Hits,
    /// Keeps what is kept for the next time.
    remember: Option<Remember>,
    record: Option<Record>,
    /// Whether what the terminal shows is not known, so that every cell is drawn.
    repaint: bool,
    /// Set once it is time to leave.
    exit: Option<Exit>,
}

async fn explore(opening: Opening, options: Options) -> io::Result<Exit> {
    // Colour is the theme's affair: where crossterm decides about it, it also
    // drops bold and reverse.
    crossterm::style::force_color_output(true);
    let screen = Terminal::new(CrosstermBackend::new(io::stdout()))?;
    let size = screen.size()?;
    let (done, mut finished) = unbounded_channel();
    let stray = Stray::new(options.awaits_answer);
    let remember = options.remember.clone();
    let record = options.record.clone();
    let watched = options.watch.clone();
    let model = Model::new(options, (size.width, size.height));
    let mut explorer = Explorer {
        model,
        stray,
        opening,
        done,
        tasks: Vec::new(),
        screen: ManuallyDrop::new(screen),
        edit: None,
        watch: None,
        watched,
        seen: Arc::default(),
        hits: Hits::default(),
        remember,
        record,
        repaint: false,
        exit: None,
    };
    explorer.draw()?;
    explorer.open();
    // The first code block of a language costs tens of milliseconds otherwise.
    tokio::task::spawn_blocking(super::prose::warm_up);
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut quit = signal(SignalKind::quit())?;
    let mut stopped = signal(SignalKind::from_raw(SIGTSTP))?;
    let mut resumed = signal(SignalKind::from_raw(SIGCONT))?;
    let mut input = EventStream::new();
    let mut tick = tokio::time::interval(TENTH);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut was_busy = false;
    while explorer.exit.is_none() {
        let is_busy = explorer.model.is_busy();
        if is_busy && !was_busy {
            tick.reset();
        }
        was_busy = is_busy;
        tokio::select! {
            biased;
            _ = terminate.recv() => explorer.exit = Some(Exit::Signal(SIGTERM)),
            _ = interrupt.recv() => explorer.exit = Some(Exit::Signal(SIGINT)),
            _ = quit.recv() => explorer.exit = Some(Exit::Signal(SIGQUIT)),
            _ = hangup.recv() => explorer.exit = Some(Exit::Signal(SIGHUP)),
            _ = stopped.recv() => explorer.suspend()?,
            _ = resumed.recv() => explorer.resume()?,
            event = input.next() => match event {
                Some(event) => explorer.event(event?)?,
                // The terminal is gone.
                None => explorer.exit = Some(Exit::Quit),
            },
            Some(result) = finished.recv() => explorer.finished(result)?,
            _ = tick.tick(), if is_busy => explorer.message(Message::Tick)?,
        }
        explorer.drain(&mut input, &mut finished).await?;
        if let Some(edit) = explorer.edit.take() {
            // Whoever reads the terminal beside the editor would take its keys.
            drop(input);
            explorer.edit(&edit)?;
            input = EventStream::new();
            // What was meant for the editor came here too, and is not for us.
            interrupt = signal(SignalKind::interrupt())?;
            quit = signal(SignalKind::quit())?;
            stopped = signal(SignalKind::from_raw(SIGTSTP))?;
        }
        if explorer.model.reader.is_some()
            && let Some(folder) = explorer.watched.take()
        {
            explorer.watch(&folder);
        }
        if explorer.exit.is_none() {
            explorer.draw()?;
        }
    }
    // A server is told that nothing more comes; one that is gone is not waited for.
    if let Some(reader) = explorer.model.reader.take() {
        let _ = tokio::time::timeout(TENTH, reader.close()).await;
    }
    Ok(explorer.exit.take().unwrap_or(Exit::Quit))
}

impl Explorer {
    /// Takes everything that has queued up, so that it costs one frame.
    async fn drain(
        &mut self,
        input: &mut EventStream,
        finished: &mut UnboundedReceiver<Finished>,
    ) -> io::Result<()> {
        while self.exit.is_none() {
            // Asked with the loop's own waker: the stream keeps the first that it
            // sees, and with another one the next key would not wake the loop.
            let next = poll_fn(|context| Poll::Ready(input.poll_next_unpin(context))).await;
            if let Poll::Ready(Some(event)) = next {
                self.event(event?)?;
            } else if let Ok(result) = finished.try_recv() {
                self.finished(result)?;
            } else {
                break;
            }
        }
        Ok(())
    }

    fn event(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Key(key) if self.stray.takes(key) => Ok(()),
            Event::Key(key) => self.message(Message::Key(key)),
            Event::Paste(text) => self.message(Message::Paste(text)),
            Event::Resize(width, height) => {
                // A terminal that became smaller and larger again has lost what it
                // showed, also where the size is the old one in the end.
                self.repaint = true;
                self.message(Message::Resize(width, height))
            }
            Event::Mouse(event) => self.message(Message::Mouse(event, Box::new(self.hits.clone()))),
            Event::FocusGained | Event::FocusLost => Ok(()),
        }
    }

    fn finished(&mut self, result: Finished) -> io::Result<()> {
        match result {
            Ok(message) => self.message(message),
            Err(Panicked) => Err(io::Error::other("an answer could not be worked out")),
        }
    }

    fn message(&mut self, message: Message) -> io::Result<()> {
        for effect in update(&mut self.model, message) {
            match effect {
                Effect::Quit => {
                    self.exit = Some(match &self.model.world {
                        World::Failed(why) => Exit::Failed(why.clone()),
                        World::Opening | World::Open => Exit::Quit,
                    });
                }
                Effect::Repaint => self.repaint = true,
                Effect::Suspend => self.suspend()?,
                Effect::Open => self.open(),
                Effect::Cancel => self.tasks.drain(..).for_each(|task| task.abort()),
                Effect::Reload => self.reload(),
                Effect::Check { load, desk } => self.check(load, desk),
                Effect::Sweep(wanted) => self.sweep(wanted),
                Effect::Walk(walk) => self.walk(walk),
                Effect::Edit(edit) => self.edit = Some(edit),
                Effect::Copy { what, text } => self.copy(what, text)?,
                Effect::Save { name, text } => self.save(&name, &text)?,
                Effect::Record { question, budget } => {
                    let recorded = self.record.as_ref().map(|it| (it.0)(&question, budget));
                    if let Some(Err(why)) = recorded {
                        self.model.notice = Some(crate::text::visible_line(&why));
                    }
                }
                Effect::Remember(kept) => {
                    if let Some(remember) = &self.remember {
                        (remember.0)(kept);
                    }
                }
                Effect::Mouse(on) => terminal::listen_to_mouse(on)?,
                effect @ (Effect::Ask { .. }
                | Effect::Fetch { .. }
                | Effect::Visit { .. }
                | Effect::Compare { .. }) => self.spawn(effect),
            }
        }
        Ok(())
    }

    /// Reads the world again away from the screen.
    fn reload(&self) {
        let (opening, done) = (Arc::clone(&self.opening), self.done.clone());
        tokio::task::spawn_blocking(move || {
            let opened = std::panic::catch_unwind(AssertUnwindSafe(|| whole(opening(&|_| {}))));
            let opened = opened.map(|opened| Message::Reloaded(Box::new(opened)));
            let _ = done.send(opened.map_err(|_| Panicked));
        });
    }

    /// Works out what a budget buys away from the screen.
    fn sweep(&self, wanted: Box<Wanted>) {
        let done = self.done.clone();
        tokio::task::spawn_blocking(move || {
            let swept = std::panic::catch_unwind(AssertUnwindSafe(|| wanted.sweep()));
            let swept = swept.map(|sweep| Message::Swept { wanted, sweep: Box::new(sweep) });
            let _ = done.send(swept.map_err(|_| Panicked));
        });
    }

    /// Works an answer out over all its budgets away from the screen.
    fn walk(&self, walk: Box<Walk>) {
        let done = self.done.clone();
        tokio::task::spawn_blocking(move || {
            let walked = std::panic::catch_unwind(AssertUnwindSafe(|| walk.walk()));
            match walked {
                Ok(Some(walked)) => {
                    let number = walk.number;
                    let _ = done.send(Ok(Message::Walked { number, walked: Box::new(walked) }));
                }
                // Nobody wants it any more.
                Ok(None) => {}
                Err(_) => {
                    let _ = done.send(Err(Panicked));
                }
            }
        });
    }

    /// Looks the world through away from the screen.
    fn check(&self, load: u64, desk: Desk) {
        let done = self.done.clone();
        tokio::task::spawn_blocking(move || {
            let found = std::panic::catch_unwind(AssertUnwindSafe(|| (desk.check)()));
            let found = found.map(|findings| Message::Found { load, findings });
            let _ = done.send(found.map_err(|_| Panicked));
        });
    }

    /// Watches the folder of the world from when it is open on.
    fn watch(&mut self, folder: &Path) {
        let done = self.done.clone();
        let seen = self.seen.lock().map(|seen| *seen).unwrap_or_default();
        self.watch = Some(Watch::start(folder, seen, move || {
            let _ = done.send(Ok(Message::Changed));
        }));
    }

    /// Gives the terminal to the author's editor and takes it again.
    fn edit(&mut self, edit: &Edit) -> io::Result<()> {
        if !edit.file.exists() {
            // An editor would begin a new file there.
            let file = crate::text::visible_line(&edit.file.display().to_string());
            return self.message(Message::Notice(format!("{file} is not there any more")));
        }
        terminal::restore();
        // A stop is for the editor and for what started it.
        let mut stops = Signals::new([SIGTSTP])?;
        let end = stops.handle();
        let stopping = std::thread::spawn(move || {
            for _ in stops.forever() {
                let _ = signal_hook::low_level::raise(SIGSTOP);
            }
        });
        let ended = edit.run();
        end.close();
        let _ = stopping.join();
        self.resume()?;
        if let Err(why) = ended {
            self.message(Message::Notice(crate::text::visible_line(&why)))?;
        }
        Ok(())
    }

    /// Copies a text: at once through the terminal, and beside the loop through a
    /// program of this machine, for which one has to wait.
    fn copy(&mut self, what: String, text: String) -> io::Result<()> {
        let by_terminal = clipboard::by_terminal(&text)?;
        let done = self.done.clone();
        tokio::task::spawn_blocking(move || {
            let by_program = clipboard::by_program(&text);
            let ways = match (by_terminal, by_program) {
                (true, Some(program)) => format!("through the terminal and {program}"),
                (true, None) => "through the terminal (OSC 52)".to_owned(),
                (false, Some(program)) => format!("through {program}"),
                (false, None) => {
                    let words = format!("{what} is too long for the terminal; write it to a file");
                    let _ = done.send(Ok(Message::Notice(words)));
                    return;
                }
            };
            let bytes = super::width::grouped(text.len());
            let words = format!("{what} copied, {bytes} bytes, {ways}");
            let _ = done.send(Ok(Message::Notice(words)));
        });
        Ok(())
    }

    /// Writes a file that is not there yet.
    fn save(&mut self, name: &str, text: &str) -> io::Result<()> {
        let path = crate::home::expanded(name);
        let written = std::fs::File::create_new(&path).and_then(|mut file| {
            std::io::Write::write_all(&mut file, text.as_bytes()).inspect_err(|_| {
                // Half of it under its whole name would be taken for all.
                let _ = std::fs::remove_file(&path);
            })
        });
        let columns = self.model.size.0.into();
        let saved = match written {
            Ok(()) => Ok(save::done(&path, text.len(), columns)),
            Err(error) => Err(save::failed(&path, &error, columns)),
        };
        self.message(Message::Saved(saved))
    }

    /// Opens the world away from the screen.
    fn open(&self) {
        let (opening, done) = (Arc::clone(&self.opening), self.done.clone());
        let (folder, seen) = (self.watched.clone(), Arc::clone(&self.seen));
        tokio::task::spawn_blocking(move || {
            if let (Some(folder), Ok(mut seen)) = (folder, seen.lock()) {
                *seen = Some(Seen::of(&folder));
            }
            // The loop may have ended: nobody listens then.
            let tell = |words| {
                let _ = done.send(Ok(Message::Progress(words)));
            };
            let opened = std::panic::catch_unwind(AssertUnwindSafe(|| whole(opening(&tell))));
            let opened = opened.map(|opened| Message::Opened(Box::new(opened)));
            let _ = done.send(opened.map_err(|_| Panicked));
        });
    }

    /// Asks or fetches away from the screen; the messages come back to the loop.
    fn spawn(&mut self, effect: Effect) {
        let done = self.done.clone();
        let task = tokio::spawn(async move {
            let take = |message| {
                let _ = done.send(Ok(message));
            };
            if AssertUnwindSafe(effect.run(take)).catch_unwind().await.is_err() {
                let _ = done.send(Err(Panicked));
            }
        });
        self.tasks.retain(|task| !task.is_finished());
        self.tasks.push(task.abort_handle());
    }

    fn suspend(&mut self) -> io::Result<()> {
        terminal::restore();
        signal_hook::low_level::raise(SIGSTOP)?;
        self.resume()
    }

    fn resume(&mut self) -> io::Result<()> {
        terminal::resume()?;
        self.repaint = true;
        let size = self.screen.size()?;
        self.message(Message::Resize(size.width, size.height))
    }

    fn draw(&mut self) -> io::Result<()> {
        execute!(io::stdout(), BeginSynchronizedUpdate)?;
        if std::mem::take(&mut self.repaint) {
            // A new screen draws every cell; asking the old one to clear would ask the
            // terminal for its cursor, in a race with the input.
            execute!(io::stdout(), Clear(ClearType::All))?;
            let screen = Terminal::new(CrosstermBackend::new(io::stdout()))?;
            let mut old = std::mem::replace(&mut self.screen, ManuallyDrop::new(screen));
            old.show_cursor()?;
            // With its cursor shown it has nothing to say.
            drop(ManuallyDrop::into_inner(old));
        }
        let size = self.screen.size()?;
        if self.model.size != (size.width, size.height) {
            update(&mut self.model, Message::Resize(size.width, size.height));
        }
        let hits = &mut self.hits;
        self.screen.draw(|frame| *hits = view_with_hits(&self.model, frame))?;
        execute!(io::stdout(), EndSynchronizedUpdate)
    }
}
