//! What a piece of the screen means.

macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident = $key:literal,)*) => {
        /// What a piece of the screen means.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Role {
            $($(#[$doc])* $role,)*
        }

        impl Role {
            /// Every role, in the order of declaration.
            pub const ALL: &[Self] = &[$(Self::$role,)*];

            /// The role's name in a theme file.
            pub fn key(self) -> &'static str {
                match self {
                    $(Self::$role => $key,)*
                }
            }
        }
    };
}

roles! {
    /// Plain text.
    Text = "text",
    /// Text of less weight: hints, what was left out, counts.
    Dim = "dim",
    /// Titles of panes and of documents.
    Title = "title",
    /// The border of a pane.
    Border = "border",
    /// The border of the pane that has the keys.
    BorderFocused = "border-focused",
    /// The selected row.
    Selected = "selected",
    /// What lights up together with the selected row.
    Related = "related",
    /// A key that may be pressed.
    Key = "key",
    /// An outcome: the reader has the evidence.
    Shown = "shown",
    /// An outcome: the evidence stands elsewhere in the result.
    Repeated = "repeated",
    /// An outcome: left out for want of room.
    Omitted = "omitted",
    /// An outcome: failed.
    Failed = "failed",
    /// A heading in a document.
    Heading = "heading",
    /// Code in a line.
    Code = "code",
    /// A comment in a code block.
    CodeComment = "code-comment",
    /// A keyword in a code block.
    CodeKeyword = "code-keyword",
    /// A string in a code block.
    CodeString = "code-string",
    /// A number or another constant in a code block.
    CodeConstant = "code-constant",
    /// The name of a function, a type or a key in a code block.
    CodeName = "code-name",
    /// A link's label.
    Link = "link",
    /// A quotation.
    Quote = "quote",
    /// Bullets, rules and other marks of a document.
    Mark = "mark",
    /// The meter: envelope.
    Envelope = "envelope",
    /// The meter and the table.
    Table = "table",
    /// The meter: blocks.
    Block = "block",
    /// The meter: stubs and covered notes.
    Stub = "stub",
    /// The meter: relation lines.
    RelationLine = "relation-line",
    /// The meter: notes.
    Note = "note",
    /// The meter: what is left.
    Free = "free",
    /// The meter: spent beyond the budget.
    Overdrawn = "overdrawn",
    /// An error that needs attention.
    Error = "error",
}

impl Role {
    /// Whether the role paints lines and bars, which need less contrast than text.
    pub fn is_graphic(self) -> bool {
        matches!(
            self,
            Self::Border
                | Self::BorderFocused
                | Self::Envelope
                | Self::Table
                | Self::Block
                | Self::Stub
                | Self::RelationLine
                | Self::Note
                | Self::Free
                | Self::Overdrawn
        )
    }
}
