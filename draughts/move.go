package draughts

// Move is one ply. Two captures that share start, end, captured pieces and
// promotion are the same move, whatever path they take; [Variant.Paths] lists
// the paths.
type Move struct {
	From, To Square
	// Promotes is set when a man becomes a king by this move.
	Promotes bool
	// Captured holds the squares of the captured pieces; it is empty for a quiet
	// move.
	Captured Set
}

// IsCapture reports whether the move captures anything.
func (m Move) IsCapture() bool { return !m.Captured.IsEmpty() }
