package index_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	"threekings/draughts"
	"threekings/tables"
)

// The canonical order is part of the format: the digests of all tables hang on
// it. Each digest here is over the canonical FENs of a thousand positions spread
// over the whole of an index, a line each; they were taken from the first
// version of this package, which stepped through subsets one by one.
func TestOrderNeverChanges(t *testing.T) {
	for _, test := range []struct {
		v                *draughts.Variant
		material, digest string
	}{
		{draughts.International, "KKKvK", "77e7c0d5f27801802a276356185c3717ddf28395799fba03bfeafb472b9677fb"},
		{draughts.International, "KMvKM", "6a752b096bc846fd0a42e5b67b4372932798a323bac0251b34767be86a47a80f"},
		{draughts.International, "KMMvMM", "96ddd4593af7502d57d61a651a30aae3dfc23c03e7b6ea2570376e2ebf2c0e16"},
		{draughts.International, "KKMMvKKMM", "2f2e28349650dfc39a810d184527a4145ba265abdf89e0a2d977c7a461a66f1f"},
		{draughts.International, "MMMMvMMMM", "dac180b154ee83d58866f2979a47cb7f54d910f89fc2bd8fa4759881b510e5c7"},
		{draughts.English, "KKMvKMM", "2fe3df894a669b24044b2dba3683853695351d323905bfdb4778632e859d7a14"},
		{draughts.English, "KKKKKMvKM", "9f3a8bc4f493127a108554525891573699c8cc48f9b104c36a2e981f42336c4a"},
		{draughts.Italian, "KMMMvKKM", "5b3a74de5ba6ccac9d89350621262b6dbc5ad9e82bbe88e0c68cf61fc0a60a1f"},
		{draughts.Canadian, "KKMvKM", "093bb9c67126ca7bcb4ee32eafd4f6f788fa192b57c89d86d604c8944ea7adb2"},
		{draughts.Canadian, "KKMMvKKMM", "1e7c083949a5619e100875ee0647c2c07e94567647ed4b22b5b219d58c3b94cc"},
		{draughts.Canadian, "MMMMMMMvM", "02570844e5f921063c878b8f73b7c4e883813af7efff465412fda27014318501"},
		{draughts.Canadian, "KKKKKKKvK", "6db934d8ecab624fdb777a9df80b19d2647d9cedb8eaf4f57f675852daecd310"},
		{draughts.Turkish, "KMMvKKM", "54cde0cf47286e932be3f9dd126322865d077d05af73e3f22e822012704167ef"},
		{draughts.Turkish, "KKMMvKKMM", "d914b73b4aec6fd828cc0a1cff682f81f989e2e3fad883dbd17c57f36b6cb17f"},
	} {
		ix := newIndex(t, test.v, test.material)
		const samples = 1000
		digest := sha256.New()
		for i := range uint64(samples) {
			n := ix.Size() / samples * i
			if i == samples-1 {
				n = ix.Size() - 1
			}
			fmt.Fprintln(digest, test.v.FEN(ix.Position(tables.Side(i%2), n)))
		}
		if got := hex.EncodeToString(digest.Sum(nil)); got != test.digest {
			t.Errorf("{draughts.%s, %q, %q},", test.v.Title, test.material, got)
		}
	}
}
