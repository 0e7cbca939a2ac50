//! The only place that knows colours. Everything else asks for a role.

use ratatui::style::{Color, Modifier, Style};

/// What a piece of the screen means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Plain text.
    Text,
    /// Text of less weight: hints, what was left out, counts.
    Dim,
    /// Titles of panes and of documents.
    Title,
    /// The border of a pane.
    Border,
    /// The border of the pane that has the keys.
    BorderFocused,
    /// The selected row.
    Selected,
    /// What lights up together with the selected row.
    Related,
    /// A key that may be pressed.
    Key,
    /// An outcome: the reader has the evidence.
    Shown,
    /// An outcome: the evidence stands elsewhere in the result.
    Repeated,
    /// An outcome: left out for want of room.
    Omitted,
    /// An outcome: failed.
    Failed,
    /// A heading in a document.
    Heading,
    /// Code in a line.
    Code,
    /// A link's label.
    Link,
    /// A quotation.
    Quote,
    /// Bullets, rules and other marks of a document.
    Mark,
    /// The meter: envelope.
    Envelope,
    /// The meter and the table.
    Table,
    /// The meter: blocks.
    Block,
    /// The meter: stubs and covered notes.
    Stub,
    /// The meter: relation lines.
    RelationLine,
    /// The meter: notes.
    Note,
    /// The meter: what is left.
    Free,
    /// The meter: spent beyond the budget.
    Overdrawn,
    /// An error that needs attention.
    Error,
}

/// Resolved styles, one for each role.
#[derive(Debug, Clone)]
pub struct Theme {
    name: String,
}

impl Theme {
    /// The theme's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The default: the terminal's own 16 colours on its own ground.
    pub fn terminal() -> Self {
        Self { name: "terminal".into() }
    }

    /// The style of a role.
    pub fn style(&self, role: Role) -> Style {
        match role {
            Role::Title | Role::Heading => Style::new().add_modifier(Modifier::BOLD),
            Role::Selected => Style::new().add_modifier(Modifier::REVERSED),
            Role::Error | Role::Failed => Style::new().fg(Color::Red),
            _ => Style::new(),
        }
    }
}
