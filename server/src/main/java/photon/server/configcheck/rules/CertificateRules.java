package photon.server.configcheck.rules;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;

/** Whether peers will accept a daemon's certificate, and for how long. */
public final class CertificateRules {
    private static final String AREA = "certificate";
    private static final String KEY = "security.certificate";

    /** As the alerts PhotonCertificateExpires and PhotonCertificateExpiresSoon have it. */
    private static final Duration LEFT_WARN = Duration.ofDays(14);

    private static final Duration LEFT_FAIL = Duration.ofDays(2);

    private CertificateRules() {}

    /**
     * A certificate whose files can be used.
     *
     * @param holder whom it is for
     * @param hosts that it names, addresses in their usual form
     * @param wrongHolder why it is not this daemon's
     * @param distrust why no authority vouches for it
     * @param expiry its own, or the earlier one of what vouches for it
     * @param expiresBefore what vouches for it and has that earlier one
     */
    public record Certificate(
            String holder,
            List<String> hosts,
            Optional<String> wrongHolder,
            Optional<String> distrust,
            Instant expiry,
            Optional<String> expiresBefore) {}

    /** Calls are not by TLS. */
    public static CheckLine none(String mode) {
        return CheckLine.ok(AREA, "security.mode " + mode, "no certificate is needed");
    }

    /** Files that cannot be used: a start says the same. */
    public static CheckLine unusable(String problem) {
        return CheckLine.fail(
                AREA, "security", problem, "files that 'photon certs issue' makes, or their like");
    }

    /**
     * @param reachedAs the hosts by which others reach the daemon, likewise
     */
    public static List<CheckLine> of(
            Certificate certificate, SortedSet<String> reachedAs, Instant now) {
        List<CheckLine> lines = new ArrayList<>();
        lines.add(
                certificate
                        .wrongHolder()
                        .map(
                                why ->
                                        CheckLine.fail(
                                                AREA,
                                                KEY,
                                                why,
                                                "a certificate of this daemon's datacenter"))
                        .orElseGet(() -> CheckLine.ok(AREA, KEY, "is of " + certificate.holder())));
        lines.add(
                certificate
                        .distrust()
                        .map(
                                why ->
                                        CheckLine.fail(
                                                AREA,
                                                "security.trust",
                                                "does not vouch for security.certificate: " + why,
                                                "the authority that has issued it, with those between in the file of the certificate"))
                        .orElseGet(
                                () ->
                                        CheckLine.ok(
                                                AREA,
                                                "security.trust",
                                                "vouches for security.certificate")));
        reachedAs.stream()
                .filter(host -> certificate.hosts().stream().noneMatch(name -> isFor(name, host)))
                .forEach(
                        host ->
                                lines.add(
                                        CheckLine.fail(
                                                AREA,
                                                KEY,
                                                "is for %s, and others reach this daemon as %s"
                                                        .formatted(certificate.hosts(), host),
                                                "a certificate that names the host: 'photon certs issue --host "
                                                        + host
                                                        + "'")));
        lines.add(expiry(certificate, now));
        return lines;
    }

    private static CheckLine expiry(Certificate certificate, Instant now) {
        Duration left = Duration.between(now, certificate.expiry());
        String found =
                "is valid until %s, for %,d days%s"
                        .formatted(
                                certificate.expiry(),
                                left.toDays(),
                                certificate
                                        .expiresBefore()
                                        .map(
                                                which ->
                                                        ", when %s expires, which vouches for it"
                                                                .formatted(which))
                                        .orElse(""));
        if (left.compareTo(LEFT_WARN) >= 0) {
            return CheckLine.ok(AREA, KEY, found);
        }
        String expected =
                "%d days at least: replace the files; a daemon that runs takes them by itself"
                        .formatted(LEFT_WARN.toDays());
        return left.compareTo(LEFT_FAIL) < 0
                ? CheckLine.fail(AREA, KEY, found, expected)
                : CheckLine.warn(AREA, KEY, found, expected);
    }

    private static boolean isFor(String name, String host) {
        String wanted = host.toLowerCase(Locale.ROOT);
        String named = name.toLowerCase(Locale.ROOT);
        int dot = wanted.indexOf('.');
        return named.equals(wanted)
                || (dot > 0
                        && named.startsWith("*.")
                        && wanted.substring(dot).equals(named.substring(1)));
    }
}
