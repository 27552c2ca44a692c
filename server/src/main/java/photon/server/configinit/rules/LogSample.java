package photon.server.configinit.rules;

import java.util.List;

/**
 * The first records of one stream's files, as they stand there.
 *
 * @param name {@code primary} or {@code foreign}
 * @param files each file's first records: lines, or payloads of frames
 * @param framed the records are payloads
 * @param atEnd every file was read to its end
 * @param fileName of the first file, without its directory
 */
public record LogSample(
        String name, List<List<byte[]>> files, boolean framed, boolean atEnd, String fileName) {
    public LogSample {
        files = files.stream().map(List::copyOf).toList();
    }

    public long records() {
        return files.stream().mapToLong(List::size).sum();
    }

    /** The file's name without digits and endings: {@code clicks-2026.jsonl.gz} is clicks. */
    public String stem() {
        return Names.stem(fileName);
    }
}
