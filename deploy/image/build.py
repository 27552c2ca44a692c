#!/usr/bin/env python3
"""Makes an archive with two OCI images of the tarball of the distribution, without a container engine and without a registry of
images: photon, and photon-tools, which has the verbs that production does not need besides.

Usage: deploy/image/build.py [TARBALL [IMAGE.tar]]
Needs Linux with glibc, JDK 17 (jlink) and ldd. The images hold a Java runtime, the C libraries that it needs, and Photon: no
shell, no package manager. They are for the processor of the machine that builds them. The same tarball, JDK and C libraries give
the same bytes.
"""
import glob, gzip, hashlib, io, json, os, platform, re, shutil, subprocess, sys, tarfile, tempfile

MODULES = ("java.base,java.logging,java.management,java.naming,java.net.http,java.sql,java.xml,jdk.unsupported,jdk.httpserver,"
           "java.security.jgss,jdk.management,jdk.crypto.ec,jdk.zipfs,java.instrument,jdk.jfr,java.desktop,"
           "java.security.sasl,jdk.net,jdk.random,jdk.security.auth,jdk.security.jgss")
USER = 10001
HOME = "opt/photon"
# Volumes may be mounted there: an engine gives a new volume the owner of what it hides.
WRITABLE = ["var/lib/photon"] + ["var/lib/photon/" + name for name in ("certs", "logs", "output", "state")]
FLAGS = "-XX:+UseG1GC\n-XX:MaxRAMPercentage=60\n-XX:+ExitOnOutOfMemoryError\n-Dphoton.home=/%s\n" % HOME
# What draws windows and plays sounds: java.desktop is there for java.beans alone.
LEFT_OUT = re.compile(r"/lib(awt.*|fontmanager|freetype|javajpeg|jawt|jsound|lcms|mlib_image|splashscreen)\.so$")
# What the Java VM and native libraries in jars open by name.
BY_NAME = ("libnss_files.so.2", "libnss_dns.so.2", "libresolv.so.2", "libgcc_s.so.1", "libstdc++.so.6", "libcrypt.so.1",
           "libpthread.so.0", "libdl.so.2", "librt.so.1", "libm.so.6")


def fail(text):
    print("build.py: " + text, file=sys.stderr)
    sys.exit(2)


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout


def needed(binaries):
    """Paths of the C libraries that programs need, as the loader of this machine finds them."""
    found = set()
    for binary in binaries:
        for line in run("ldd", binary).splitlines():
            path = re.search(r"(/\S+)", line.split("=>")[-1])
            if path:
                found.add(path.group(1))
    return found


def libraries(jre):
    """Paths of the C libraries that the runtime needs."""
    binaries = [os.path.join(jre, "bin/java")] + glob.glob(os.path.join(jre, "lib/**/*.so"), recursive=True)
    found = needed(filter(lambda path: not LEFT_OUT.search(path), binaries))
    found = {path for path in found if not path.startswith(jre)}
    directories = sorted({os.path.dirname(path) for path in found})
    for name in BY_NAME:
        found.update([os.path.join(d, name) for d in directories if os.path.exists(os.path.join(d, name))][:1])
    return sorted(found)


class Layer:
    """Files with fixed owner, time and order."""

    def __init__(self):
        self.entries = {}

    def _parents(self, name):
        while "/" in name:
            name = name.rsplit("/", 1)[0]
            self.entries.setdefault(name, (tarfile.DIRTYPE, 0o755, b""))

    def text(self, name, text):
        self._parents(name)
        self.entries[name] = (tarfile.REGTYPE, 0o644, text.encode())

    def program(self, name, text):
        self._parents(name)
        self.entries[name] = (tarfile.REGTYPE, 0o755, text.encode())

    def directory(self, name, mode):
        self._parents(name)
        self.entries[name] = (tarfile.DIRTYPE, mode, b"")

    def file(self, name, path):
        self._parents(name)
        with open(path, "rb") as content:
            self.entries[name] = (tarfile.REGTYPE, 0o755 if os.access(path, os.X_OK) else 0o644, content.read())

    def tree(self, name, path):
        for directory, folders, files in os.walk(path):
            at = os.path.normpath(os.path.join(name, os.path.relpath(directory, path)))
            for each in files + folders:
                source = os.path.join(directory, each)
                # Links of Debian's JDK into /etc lead nowhere, and are no files.
                if os.path.isfile(source) and not LEFT_OUT.search(source):
                    self.file(at + "/" + each, source)

    def tar(self):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for name, (kind, mode, content) in sorted(self.entries.items()):
                info = tarfile.TarInfo(name)
                info.type, info.mode, info.size = kind, mode, len(content)
                if name in WRITABLE:
                    info.uid = info.gid = USER
                archive.addfile(info, io.BytesIO(content))
        return out.getvalue()


class Archive:
    """Images that share layers, in one file for docker load and for tools that read OCI layouts."""

    def __init__(self):
        self.files, self.manifests, self.docker = {}, [], []

    def blob(self, kind, content):
        digest = hashlib.sha256(content).hexdigest()
        self.files["blobs/sha256/" + digest] = content
        return {"mediaType": "application/vnd.oci.image.%s" % kind, "digest": "sha256:" + digest, "size": len(content)}

    def layer(self, layer):
        """Returns what a manifest and what a configuration say about the layer."""
        plain = layer.tar()
        return self.blob("layer.v1.tar+gzip", gzip.compress(plain, 1, mtime=0)), "sha256:" + hashlib.sha256(plain).hexdigest()

    def image(self, tag, config, layers):
        config = dict(config, rootfs={"type": "layers", "diff_ids": [diff for _, diff in layers]})
        config = self.blob("config.v1+json", encoded(config))
        layers = [layer for layer, _ in layers]
        kind = "manifest.v1+json"
        manifest = self.blob(kind, encoded({"schemaVersion": 2, "mediaType": "application/vnd.oci.image." + kind,
                                            "config": config, "layers": layers}))
        manifest["annotations"] = {"org.opencontainers.image.ref.name": tag, "io.containerd.image.name": "docker.io/library/" + tag}
        self.manifests.append(manifest)
        # What docker load of versions before 25 reads.
        self.docker.append({"Config": blob_path(config), "RepoTags": [tag], "Layers": [blob_path(layer) for layer in layers]})

    def write(self, path):
        files = dict(self.files)
        files["oci-layout"] = encoded({"imageLayoutVersion": "1.0.0"})
        files["index.json"] = encoded({"schemaVersion": 2, "manifests": self.manifests})
        files["manifest.json"] = encoded(self.docker)
        with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as archive:
            for name, content in sorted(files.items()):
                info = tarfile.TarInfo(name)
                info.size, info.mode = len(content), 0o644
                archive.addfile(info, io.BytesIO(content))


def encoded(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def blob_path(descriptor):
    return "blobs/sha256/" + descriptor["digest"].split(":")[1]


def base(jre):
    layer = Layer()
    layer.tree("opt/java", jre)
    for library in libraries(jre):
        layer.file(library.lstrip("/"), library)
    layer.text("etc/nsswitch.conf", "hosts: files dns\n")
    layer.text("etc/passwd", "root:x:0:0:root:/:/bin/false\nphoton:x:%d:%d::/var/lib/photon:/bin/false\n" % (USER, USER))
    layer.text("etc/group", "root:x:0:\nphoton:x:%d:\n" % USER)
    layer.directory("tmp", 0o1777)
    layer.directory("etc/photon", 0o755)
    for directory in WRITABLE:
        layer.directory(directory, 0o750)
    return layer


def photon(unpacked):
    """Returns the layers of libraries, of Photon, and of the tools, and in which order the jars are searched."""
    libraries, own, tools = Layer(), Layer(), Layer()
    # The verbs' own jar first, as in the launcher.
    jars = sorted(glob.glob(unpacked + "/lib/*.jar"), key=lambda jar: ("/photon-cli-" not in jar, jar))
    more = sorted(glob.glob(unpacked + "/lib/tools/*.jar"), key=lambda jar: ("/photon-tools-" not in jar, jar))
    for jar in jars:
        name = os.path.basename(jar)
        (own if name.startswith("photon-") else libraries).file("%s/lib/%s" % (HOME, name), jar)
    for jar in more:
        tools.file("%s/lib/tools/%s" % (HOME, os.path.basename(jar)), jar)
    for name in ("LICENSE", "NOTICE", "THIRD-PARTY.txt", "LICENSES-OF-LIBRARIES.txt", "bom.json"):
        own.file("%s/%s" % (HOME, name), os.path.join(unpacked, name))
    paths = ["/" + HOME + jar[len(unpacked):] for jar in jars + more]
    own.text(HOME + "/java.args", FLAGS + "-cp\n" + ":".join(paths[:len(jars)]) + "\n")
    tools.text(HOME + "/tools.args", FLAGS + "-cp\n" + ":".join(paths) + "\n")
    return libraries, own, tools


def config(title, version, arguments):
    return {
        "architecture": {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()],
        "os": "linux",
        "config": {
            "User": "%d:%d" % (USER, USER),
            "Env": ["PATH=/opt/java/bin", "PHOTON_CONFIG=/etc/photon/photon.yaml", "PHOTON_LOG=INFO", "LANG=C.UTF-8"],
            "Entrypoint": ["/opt/java/bin/java", "@/%s/%s" % (HOME, arguments), "photon.cli.Photon"],
            "Cmd": ["--help"],
            "WorkingDir": "/var/lib/photon",
            "StopSignal": "SIGTERM",
            "Labels": {"org.opencontainers.image.title": title, "org.opencontainers.image.version": version,
                       "org.opencontainers.image.licenses": "Apache-2.0"},
        },
    }


def arguments(given, kind):
    """Returns the repository, the tarball, its version, and where the archive goes."""
    repository = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    tarballs = given[:1] or glob.glob(os.path.join(repository, "deploy/dist/target/photon-*.tar.gz"))
    if len(tarballs) != 1 or not os.path.isfile(tarballs[0]):
        fail("expected one tarball, but got %s: 'mvn -Pdist package' makes it" % (", ".join(tarballs) or "none"))
    version = re.sub(r"^photon-|\.tar\.gz$", "", os.path.basename(tarballs[0]))
    beside = os.path.join(os.path.dirname(os.path.abspath(tarballs[0])), "photon-%s-%s.tar" % (version, kind))
    return repository, tarballs[0], version, given[1] if len(given) > 1 else beside


def runtime(work):
    """Makes the Java runtime, and returns its directory."""
    java_home = os.environ.get("JAVA_HOME")
    jlink = os.path.join(java_home, "bin/jlink") if java_home else shutil.which("jlink")
    if not jlink or not os.path.exists(jlink):
        fail("needs JDK 17: found no jlink")
    jre = os.path.join(work, "jre")
    run(jlink, "--add-modules", MODULES, "--strip-java-debug-attributes", "--no-man-pages", "--no-header-files", "--compress=2", "--output", jre)
    return jre


def main(given):
    _, tarball, version, target = arguments(given, "image")
    archive = Archive()
    with tempfile.TemporaryDirectory() as work:
        jre = runtime(work)
        with tarfile.open(tarball) as opened:
            opened.extractall(work)
        layers = [archive.layer(layer) for layer in (base(jre),) + photon(os.path.join(work, "photon-" + version))]
    tag = version.lower()
    archive.image("photon:" + tag, config("photon", version, "java.args"), layers[:3])
    archive.image("photon-tools:" + tag, config("photon-tools", version, "tools.args"), layers)
    archive.write(target)
    print(target)


if __name__ == "__main__":
    main(sys.argv[1:])
