package photon.server.metrics;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import photon.core.security.TlsFiles;

/** What a daemon needs of its machine, and what an administrator has to renew there. */
public final class HostMetrics {
    private static final double MILLIS_PER_SECOND = 1_000;

    private HostMetrics() {}

    /**
     * @param state the directory of its state; a disk that does not say its size is not told
     */
    public static MetricSource disk(Path state) {
        return samples -> {
            long free;
            long size;
            try {
                FileStore disk = Files.getFileStore(state);
                free = disk.getUsableSpace();
                size = disk.getTotalSpace();
            } catch (IOException e) {
                return;
            }
            samples.gauge(
                            "photon_state_disk_free_bytes",
                            "Bytes that the disk of the state directory has left for this user.",
                            free)
                    .gauge(
                            "photon_state_disk_size_bytes",
                            "Size of the disk of the state directory.",
                            size);
        };
    }

    /** Of a process that speaks TLS. */
    public static MetricSource tls(TlsFiles files) {
        return samples ->
                samples.gauge(
                                "photon_tls_certificate_expiry_timestamp_seconds",
                                "When the certificate that is in use expires, or before that what vouches for it, since 1970.",
                                files.expiry().toEpochMilli() / MILLIS_PER_SECOND)
                        .gauge(
                                "photon_tls_replacement_refused",
                                "1 if the files of certificate, key and trust were replaced by some that cannot be used.",
                                files.trouble().isEmpty() ? 0 : 1);
    }
}
