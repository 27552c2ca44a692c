package photon.verifier.books;

import java.util.ArrayList;
import java.util.List;
import photon.core.id.EventId;

/** The first few identities of a kind, as text. */
final class IdentitySample {
    private final List<String> texts = new ArrayList<>();

    void add(EventId id) {
        if (texts.size() < Bookkeeper.SAMPLES_MAX) {
            texts.add(id.toString());
        }
    }

    List<String> texts() {
        return texts;
    }
}
