package tables

// A field is a byte for a position: its outcome, and what coding must know beside
// it.
const (
	// FieldOutcome are the bits of the outcome.
	FieldOutcome = 1<<2 - 1
	// FieldCapture says that the side to move must capture.
	FieldCapture = 1 << 2
	// FieldThreat says that the other side could capture if it were to move instead.
	FieldThreat = 1 << 3
)

// FieldValues are [Values] that give outcomes and captures at once, which is several
// times as fast.
type FieldValues interface {
	Values
	// Fields fills dst with the fields of the positions from start on.
	Fields(s Side, start uint64, dst []byte)
}

// ReadFields fills dst with the fields of the positions from start on. Threats are
// set in any case if they are asked for, and perhaps if not.
func ReadFields(v Values, s Side, start uint64, dst []byte, threats bool) {
	if f, ok := v.(FieldValues); ok {
		f.Fields(s, start, dst)
		return
	}
	outcomes, captures := make([]Outcome, len(dst)), make([]bool, len(dst))
	v.Outcomes(s, start, outcomes)
	v.Captures(s, start, captures)
	for i, o := range outcomes {
		dst[i] = byte(o)
		if captures[i] {
			dst[i] |= FieldCapture
		}
	}
	if !threats {
		return
	}
	v.Captures(s^1, start, captures)
	for i, threat := range captures {
		if threat {
			dst[i] |= FieldThreat
		}
	}
}
