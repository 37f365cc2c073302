package retro_test
import ("testing";"time";"context";"errors";"threekings/draughts";"threekings/retro";"threekings/tables")
func TestZZ(t *testing.T) {
	v := draughts.International
	for _, name := range []string{"KKvKK","KKKvK"} {
	m := material(t, name)
	stored := newMemory(t, v, name)
	for _, solver := range []retro.Solver{retro.Lanes, retro.Reference} {
	for _, wait := range []time.Duration{100*time.Millisecond, 2*time.Second} {
	ctx, cancel := context.WithCancel(t.Context())
	go func(){ time.Sleep(wait); cancel() }()
	st := time.Now()
	err := retro.Generate(ctx, v, []tables.Material{m}, retro.Options{Finished: stored, Solver: solver})
	t.Log(name, solver, wait, time.Since(st)-wait, errors.Is(err, context.Canceled))
	cancel()
	}}
	}
}
