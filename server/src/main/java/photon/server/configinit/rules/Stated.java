package photon.server.configinit.rules;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the user has said of one stream, so that it need not be guessed; each may be empty.
 *
 * @param separator of CSV
 * @param columns of CSV that has no header
 * @param where keep only these records
 * @param id fields
 * @param key fields that name the primary event; of a foreign stream only
 * @param timestamp a field, or {@code FIELD:UNIT} or {@code FIELD:PATTERN}
 */
public record Stated(
        Optional<Character> separator,
        List<String> columns,
        Map<String, List<String>> where,
        List<String> id,
        List<String> key,
        Optional<String> timestamp) {
    public static final Stated NOTHING =
            new Stated(
                    Optional.empty(), List.of(), Map.of(), List.of(), List.of(), Optional.empty());

    public Stated {
        columns = List.copyOf(columns);
        where = Map.copyOf(where);
        id = List.copyOf(id);
        key = List.copyOf(key);
    }
}
