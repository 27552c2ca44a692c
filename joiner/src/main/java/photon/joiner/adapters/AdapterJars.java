package photon.joiner.adapters;

import com.google.common.hash.Hashing;
import com.google.common.io.Files;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import photon.adapter.AdapterApi;
import photon.core.error.ConfigException;
import photon.core.error.IoText;

/** An adapter's jars: there, whole, and built for this version of the API. */
final class AdapterJars {
    private static final String CLASS = ".class";

    private final List<File> files;

    private AdapterJars(List<File> files) {
        this.files = files;
    }

    /**
     * @throws ConfigException if one is not there, cannot be read, or needs a newer API
     */
    static AdapterJars open(List<String> paths) {
        List<String> problems = new ArrayList<>();
        List<File> files = new ArrayList<>();
        for (String path : paths) {
            File file = new File(path);
            files.add(file);
            problem(file).ifPresent(problem -> problems.add("adapter.jar: " + problem));
        }
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return new AdapterJars(files);
    }

    private static Optional<String> problem(File file) {
        if (!file.exists()) {
            return Optional.of("expected a jar at %s, but there is none".formatted(file));
        }
        if (!file.isFile()) {
            return Optional.of("expected a jar at %s, but that is no file".formatted(file));
        }
        try (JarFile jar = new JarFile(file)) {
            Optional<String> newer =
                    entry(jar, AdapterApi.MANIFEST_ENTRY).flatMap(AdapterJars::newer);
            return (newer.isPresent() ? newer : ApiUse.missing(jar))
                    .map(
                            what ->
                                    "%s was built for another adapter API than this Photon's, %s: %s. Run it with a newer Photon, or compile it against this one's lib/photon-adapter-api jar"
                                            .formatted(file, AdapterApi.VERSION, what));
        } catch (IOException | RuntimeException e) {
            return Optional.of(
                    "%s is not a whole jar: %s"
                            .formatted(
                                    file,
                                    e instanceof IOException io ? IoText.of(io) : e.toString()));
        }
    }

    /** What is wrong with the version that a manifest asks for; empty: nothing. */
    private static Optional<String> newer(String wanted) {
        String[] ours = AdapterApi.VERSION.split("\\.", -1);
        String[] theirs = wanted.strip().split("\\.", -1);
        try {
            if (theirs.length >= 2
                    && theirs[0].equals(ours[0])
                    && Integer.parseInt(theirs[1]) <= Integer.parseInt(ours[1])) {
                return Optional.empty();
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        return Optional.of(
                "its manifest has %s: %s".formatted(AdapterApi.MANIFEST_ENTRY, wanted.strip()));
    }

    private static Optional<String> entry(JarFile jar, String name) throws IOException {
        Manifest manifest = jar.getManifest();
        return manifest == null
                ? Optional.empty()
                : Optional.ofNullable(manifest.getMainAttributes().getValue(name));
    }

    AdapterClassLoader loader() {
        URL[] urls = new URL[files.size()];
        for (int i = 0; i < urls.length; i++) {
            try {
                urls[i] = files.get(i).toURI().toURL();
            } catch (MalformedURLException e) {
                throw new ConfigException("adapter.jar: " + files.get(i) + ": " + e.getMessage());
            }
        }
        return new AdapterClassLoader(urls);
    }

    /** Of the jar that holds the class; empty: its manifest says none. */
    String versionOf(String adapterClass) {
        String name = adapterClass.replace('.', '/') + CLASS;
        for (File file : files) {
            try (JarFile jar = new JarFile(file)) {
                if (jar.getEntry(name) != null) {
                    return entry(jar, "Implementation-Version").orElse("");
                }
            } catch (IOException e) {
                throw new ConfigException("adapter.jar: cannot read " + file + ": " + IoText.of(e));
            }
        }
        return "";
    }

    List<AdapterFingerprint.Jar> digests() {
        List<AdapterFingerprint.Jar> digests = new ArrayList<>();
        for (File file : files) {
            try {
                digests.add(
                        new AdapterFingerprint.Jar(
                                file.getPath(),
                                Files.asByteSource(file).hash(Hashing.sha256()).toString()));
            } catch (IOException e) {
                throw new ConfigException("adapter.jar: cannot read " + file + ": " + IoText.of(e));
            }
        }
        return digests;
    }

    /** Full names of the classes that have this simple name. */
    List<String> classesNamed(String simpleName) {
        List<String> found = new ArrayList<>();
        for (File file : files) {
            try (JarFile jar = new JarFile(file)) {
                jar.stream()
                        .map(entry -> "/" + entry.getName())
                        .filter(name -> name.matches(".*[/$]\\Q" + simpleName + "\\E\\.class"))
                        .map(name -> name.substring(1, name.length() - CLASS.length()))
                        .map(name -> name.replace('/', '.'))
                        .forEach(found::add);
            } catch (IOException e) {
                throw new ConfigException("adapter.jar: cannot read " + file + ": " + IoText.of(e));
            }
        }
        return found;
    }

    @Override
    public String toString() {
        return String.join(", ", files.stream().map(File::getPath).toList());
    }
}
