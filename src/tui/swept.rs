//! What a budget buys over recorded lookups: two charts of their sum, and below them
//! each lookup at the present budget.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use rayon::prelude::*;

use super::model::{Model, Past};
use super::theme::Role;
use super::width::{cut, grouped, pad, width};
use super::{help, paint};
use crate::lookup::Store;
use crate::selection::Engine;
use crate::text::{counted, visible_line};
use crate::tune::{Figures, LookupCurve, RecordedLookup, Sweep, sweep_one};

/// The largest budget of the charts, in tokens, unless the present one is larger.
const TO: u64 = 8000;

/// What is swept: the lookups, and over what.
#[derive(Clone)]
pub struct Wanted {
    /// The number of the reading of the world.
    pub load: u64,
    /// The world.
    pub store: Arc<Store>,
    /// The lookups.
    pub lookups: Arc<Vec<RecordedLookup>>,
    /// The rules that select.
    pub engine: Engine,
    /// The largest budget, in tokens.
    pub to: u64,
}

impl Wanted {
    /// Whether a sweep of one is a sweep of the other.
    fn is_same(&self, other: &Self) -> bool {
        let key = |it: &Self| (it.load, it.engine, it.to);
        key(self) == key(other) && self.lookups == other.lookups
    }

    /// Works the curves out. It takes its time.
    pub fn sweep(&self) -> Sweep {
        let one = |lookup| sweep_one(lookup, &self.store, self.engine, 0, self.to);
        Sweep::of(0, self.to, self.engine, self.lookups.par_iter().map(one).collect())
    }
}

/// The sweep on the screen.
pub struct Swept {
    wanted: Wanted,
    /// The curves, once they are there.
    pub sweep: Option<Sweep>,
    /// The lookup that is selected.
    pub chosen: usize,
}

/// What would be swept now: the recorded lookups, else those of this hour.
fn wanted(model: &Model) -> Option<Wanted> {
    let store = Arc::clone(model.reader.as_ref()?.store()?);
    let lookups = match model.lookups.is_empty() {
        false => Arc::clone(&model.lookups),
        true => {
            let past = model.history.iter();
            // Each is asked at every budget: which one it was asked at does not matter.
            let of = |past: &Past| RecordedLookup {
                budget: None,
                ..RecordedLookup::of(&past.question, past.budget)
            };
            Arc::new(past.map(of).collect())
        }
    };
    let to = if model.budget > TO { model.budget } else { TO };
    Some(Wanted { load: model.loads, store, lookups, engine: model.question.engine, to })
}

/// What has to be worked out, if it is not under way.
pub fn outstanding(model: &mut Model) -> Option<Wanted> {
    let wanted = wanted(model)?;
    if model.swept.as_ref().is_some_and(|swept| swept.wanted.is_same(&wanted)) {
        return None;
    }
    // What was swept before stays on the screen until the new curves are there.
    let before = model.swept.take();
    let chosen = before.as_ref().map_or(0, |swept| swept.chosen);
    let sweep = before.and_then(|swept| swept.sweep);
    let chosen = chosen.min(wanted.lookups.len().saturating_sub(1));
    model.swept = Some(Swept { wanted: wanted.clone(), sweep, chosen });
    Some(wanted)
}

/// Takes curves that were worked out, if they are the ones that are wanted.
pub fn take(model: &mut Model, wanted: &Wanted, sweep: Sweep) {
    if let Some(swept) = model.swept.as_mut().filter(|swept| swept.wanted.is_same(wanted)) {
        swept.sweep = Some(sweep);
    }
}

impl Swept {
    /// The lookup that is selected.
    pub fn lookup(&self) -> Option<&RecordedLookup> {
        self.wanted.lookups.get(self.chosen)
    }

    /// How many lookups there are.
    pub fn count(&self) -> usize {
        self.wanted.lookups.len()
    }
}

/// What a curve has at a budget.
fn at(curve: &LookupCurve, budget: u64) -> Figures {
    let step = curve.points.partition_point(|point| point.budget <= budget);
    let point = step.checked_sub(1).and_then(|at| curve.points.get(at));
    point.map(|point| point.figures).unwrap_or_default()
}

/// Lines of the list that are in sight.
pub fn rows(area: Rect, lookups: usize) -> usize {
    let inner = area.inner(ratatui::layout::Margin::new(2, 1));
    usize::from(parts(inner, lookups)[2].height.saturating_sub(2))
}

/// Two charts and the list: that has what it needs, up to half of the screen.
fn parts(inner: Rect, lookups: usize) -> [Rect; 3] {
    let list = u16::try_from(lookups + 2).unwrap_or(u16::MAX).min(inner.height / 2);
    let high = (inner.height.saturating_sub(list) / 2).clamp(4, 12);
    let chart = Constraint::Length(high);
    Layout::vertical([chart, chart, Constraint::Fill(1)]).areas(inner)
}

/// Draws charts and list over the panes.
pub fn draw(model: &Model, area: Rect, buf: &mut Buffer) {
    let theme = model.theme();
    let recorded = !model.lookups.is_empty();
    let what = if recorded { "recorded lookups" } else { "the lookups made so far" };
    let title = format!("what a budget buys over {what}");
    let inner = paint::popup(theme, area, &title, &help::way_out(model), buf);
    let Some(swept) = &model.swept else {
        let words = "This needs a whole world on this machine.";
        return paint::message(buf, inner, words, theme.style(Role::Dim));
    };
    let Some(sweep) = &swept.sweep else {
        let words = format!("working out {} lookups …", grouped(swept.count()));
        return paint::message(buf, inner, &words, theme.style(Role::Dim));
    };
    if sweep.lookups.is_empty() {
        let words = "Nothing was asked yet. `--lookups FILE` takes recorded lookups.";
        return paint::message(buf, inner, words, theme.style(Role::Dim));
    }
    let inner = inner.inner(ratatui::layout::Margin::new(1, 0));
    let [tokens, holds, list] = parts(inner, swept.count());
    let required = sweep.all.required;
    let lines: [Series; 1] = [Series {
        name: "tokens of all results",
        glyph: "█",
        role: Role::Table,
        of: |it| it.tokens,
    }];
    panel(model, sweep, &lines, 0, tokens, buf);
    let lines = if required > 0 {
        [
            Series {
                name: "passages held", glyph: "█", role: Role::Block, of: |it| it.contained
            },
            Series { name: "citable", glyph: "▓", role: Role::RelationLine, of: |it| it.citable },
        ]
    } else {
        [
            Series { name: "rows expanded", glyph: "█", role: Role::Block, of: |it| it.expanded },
            Series { name: "related", glyph: "▓", role: Role::RelationLine, of: |it| it.hops },
        ]
    };
    panel(model, sweep, &lines, required, holds, buf);
    self::list(model, swept, sweep, list, buf);
}

/// One line of a chart.
struct Series {
    name: &'static str,
    glyph: &'static str,
    role: Role,
    of: fn(&Figures) -> u64,
}

/// A chart of one or two series, the second in front; `top` is its height if not 0.
fn panel(model: &Model, sweep: &Sweep, series: &[Series], top: u64, area: Rect, buf: &mut Buffer) {
    let theme = model.theme();
    let dim = theme.style(Role::Dim);
    let curve = &sweep.all;
    let highest = |one: &Series| curve.points.iter().map(|point| (one.of)(&point.figures)).max();
    let most = series.iter().filter_map(highest).max().unwrap_or(0);
    let top = top.max(most).max(1);
    let now = at(curve, model.budget);
    let mut spans = Vec::new();
    for one in series {
        spans.push(Span::styled(format!("{} ", one.glyph), theme.style(one.role)));
        let count = grouped((one.of)(&now));
        spans.push(Span::styled(format!("{} {count}", one.name), theme.style(Role::Text)));
        spans.push(Span::raw("   "));
    }
    spans.push(Span::styled(format!("at {} tokens each", grouped(model.budget)), dim));
    if let Some(knee) = curve.knee.filter(|_| series.len() > 1) {
        spans.push(Span::styled(format!(" · ┆ knee at {}", grouped(knee)), dim));
    }
    paint::line(buf, area, 0, &Line::from(spans));
    let label = width(&grouped(top)).max(4);
    let left = u16::try_from(label + 2).unwrap_or(0);
    let high = area.height.saturating_sub(2);
    let wide = area.width.saturating_sub(left);
    if high == 0 || wide < 8 {
        return;
    }
    let plot = Rect { x: area.x + left, y: area.y + 1, width: wide, height: high };
    let column_of = |budget: u64| {
        let at =
            u128::from(budget.min(sweep.to)) * u128::from(wide - 1) / u128::from(sweep.to.max(1));
        u16::try_from(at).unwrap_or(wide - 1)
    };
    for column in 0..wide {
        let figures = at(curve, sweep.to * u64::from(column) / u64::from(wide - 1));
        for one in series {
            let value = (one.of)(&figures);
            let rows = (value * u64::from(high) + top / 2) / top;
            let rows = rows.clamp(u64::from(value > 0), u64::from(high));
            for row in 0..u16::try_from(rows).unwrap_or(high) {
                let y = plot.bottom() - 1 - row;
                buf.set_stringn(plot.x + column, y, one.glyph, 1, theme.style(one.role));
            }
        }
    }
    for (row, number) in [(0, top), (high - 1, 0)] {
        let text = format!("{:>label$} ", grouped(number));
        buf.set_stringn(area.x, plot.y + row, text, label + 1, dim);
    }
    for row in 0..high {
        buf.set_stringn(plot.x - 1, plot.y + row, "│", 1, dim);
    }
    let mark = |column: u16, glyph: &str, role: Role, buf: &mut Buffer| {
        for row in 0..high {
            buf.set_stringn(plot.x + column, plot.y + row, glyph, 1, theme.style(role));
        }
    };
    if let Some(knee) = curve.knee.filter(|_| series.len() > 1) {
        mark(column_of(knee), "┆", Role::Title, buf);
    }
    let here = column_of(model.budget);
    mark(here, "┃", Role::Key, buf);
    let axis: String = (0..wide).map(|column| if column == here { '▲' } else { '─' }).collect();
    let end = format!(" {}", grouped(sweep.to));
    let axis = format!("{}{end}", cut(&axis, usize::from(wide).saturating_sub(width(&end))));
    let below = Rect { x: plot.x, y: plot.bottom(), width: wide, height: 1 };
    paint::line(buf, below, 0, &Line::styled(axis.replace('…', "─"), dim));
}

/// Each lookup at the present budget.
fn list(model: &Model, swept: &Swept, sweep: &Sweep, area: Rect, buf: &mut Buffer) {
    let theme = model.theme();
    let required = sweep.all.required > 0;
    let head = match required {
        true => format!(
            "{:>7} {:>7} {:>5} {:>9} {:>9} {:>7} {:>7}",
            "tokens", "rows", "hops", "held", "citable", "from", "stays"
        ),
        false => format!("{:>7} {:>7} {:>5} {:>10}", "tokens", "rows", "hops", "knee"),
    };
    let room = usize::from(area.width).saturating_sub(width(&head) + 3);
    let count = counted(sweep.lookups.len(), "lookup");
    let count = format!("{count}, engine {}", sweep.engine.name());
    let line = format!("{} {head}", pad(&cut(&count, room + 2), room + 2));
    paint::line(buf, area, 1, &Line::styled(line, theme.style(Role::Title)));
    let area = Rect { y: area.y + 2, height: area.height.saturating_sub(2), ..area };
    let shown = usize::from(area.height);
    let first = swept.chosen.saturating_sub(shown / 2);
    let first = first.min(sweep.lookups.len().saturating_sub(shown));
    for (row, index) in (0..area.height).zip(first..sweep.lookups.len()) {
        let curve = &sweep.lookups[index];
        let figures = at(curve, model.budget);
        let or_dash = |budget: Option<u64>| budget.map_or("-".to_owned(), grouped);
        let tokens = grouped(figures.tokens);
        let rows = format!("{}/{}", figures.expanded, figures.rows);
        let hops = figures.hops;
        let words = match required {
            true => {
                let held = format!("{}/{}", figures.contained, curve.required);
                let citable = format!("{}/{}", figures.citable, curve.required);
                // As `sweep` has them: more budget may lose a passage again.
                let most = curve.points.iter().map(|point| point.figures.contained).max();
                let most = most.and_then(|most| usize::try_from(most).ok()?.checked_sub(1));
                let reached = most.and_then(|most| curve.reached.get(most));
                let from = or_dash(reached.and_then(|reached| reached.contained));
                let stays = or_dash(reached.and_then(|reached| reached.contained_stays));
                format!(
                    "{tokens:>7} {rows:>7} {hops:>5} {held:>9} {citable:>9} {from:>7} {stays:>7}"
                )
            }
            false => format!("{tokens:>7} {rows:>7} {hops:>5} {:>10}", or_dash(curve.knee)),
        };
        let marker = if index == swept.chosen { "▸ " } else { "  " };
        let name = pad(&cut(&visible_line(&curve.name), room), room);
        let line = Line::from(vec![
            Span::styled(marker, theme.style(Role::Title)),
            Span::styled(name, theme.style(Role::Text)),
            Span::styled(format!(" {words}"), theme.style(Role::Dim)),
        ]);
        paint::line(buf, area, row, &line);
        if index == swept.chosen {
            buf.set_style(Rect { y: area.y + row, height: 1, ..area }, theme.selected());
        }
    }
}
