package photon.server.configtest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import photon.core.config.StreamConfig;
import photon.server.configtest.rules.StreamSample.GlobMatch;
import photon.storage.files.FileStore;
import photon.storage.files.Globs;
import photon.storage.files.StreamFiles;

/** Looks at what a stream's globs match now. */
final class GlobMatches {
    private static final int NEIGHBOURS_MAX = 8;

    private GlobMatches() {}

    static List<GlobMatch> of(StreamConfig stream, FileStore files) throws IOException {
        List<GlobMatch> matches = new ArrayList<>();
        for (String pattern : stream.paths()) {
            String directory = Globs.fixedDirectory(pattern);
            boolean missing = !Globs.missingDirectories(files, List.of(pattern)).isEmpty();
            int matching =
                    missing
                            ? 0
                            : new StreamFiles(files, List.of(pattern), stream.input().exclude())
                                    .look(0)
                                    .size();
            List<String> neighbours =
                    missing || matching > 0
                            ? List.of()
                            : files.list(directory).stream()
                                    .map(file -> file.path().substring(directory.length() + 1))
                                    .filter(name -> !name.startsWith("."))
                                    .limit(NEIGHBOURS_MAX)
                                    .toList();
            matches.add(new GlobMatch(pattern, matching, directory, missing, neighbours));
        }
        return matches;
    }
}
