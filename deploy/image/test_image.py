#!/usr/bin/env python3
"""Tests the images: builds them twice, checks every digest, and, where a container engine answers, runs photon in them as production
should: not as root, with a root that is read-only, without a network.

Usage: deploy/image/test_image.py [TARBALL [IMAGE.tar]]        IMAGE.tar: where the archive is left. All else is removed.
"""
import filecmp, glob, gzip, hashlib, io, json, os, shutil, subprocess, sys, tarfile, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
LABEL = "photon-test-image=%d" % os.getpid()
SECONDS_MAX = 300
REGISTRY = """
deployment:
  datacenter: east
  state: /var/lib/photon/state/alone
  clock: {source: configured, bound: 10ms}
  registry: [{name: r0, datacenter: east, raft: "127.0.0.1:7100", service: "127.0.0.1:7200"}]
  eventStore: 127.0.0.1:7401
  dispatcher: 127.0.0.1:7402
  joiners: [{name: joiner-0, address: "127.0.0.1:7403"}]
"""


def check(right, text):
    if not right:
        sys.exit("FAILED: " + text)


def passed(text):
    print("ok: " + text, flush=True)


def build(tarball, target, **environment):
    subprocess.run([sys.executable, os.path.join(HERE, "build.py"), tarball, target], check=True, stdout=subprocess.DEVNULL,
                   env=dict(os.environ, **environment))


def blob(files, descriptor):
    content = files["blobs/" + descriptor["digest"].replace(":", "/")]
    check("sha256:" + hashlib.sha256(content).hexdigest() == descriptor["digest"], "another digest: %s" % descriptor)
    check(len(content) == descriptor["size"], "another size: %s" % descriptor)
    return content


def read(archive):
    """Checks all that refers to something, and returns the tags with the names of the files in each image."""
    with tarfile.open(archive) as opened:
        files = {member.name: opened.extractfile(member).read() for member in opened}
    check(json.loads(files["oci-layout"]) == {"imageLayoutVersion": "1.0.0"}, "oci-layout")
    images, names_of = {}, {}
    for descriptor in json.loads(files["index.json"])["manifests"]:
        manifest = json.loads(blob(files, descriptor))
        config = json.loads(blob(files, manifest["config"]))
        check(len(manifest["layers"]) == len(config["rootfs"]["diff_ids"]), "as many layers as diff ids")
        names = set()
        for layer, diff in zip(manifest["layers"], config["rootfs"]["diff_ids"]):
            if diff not in names_of:
                content = gzip.decompress(blob(files, layer))
                check("sha256:" + hashlib.sha256(content).hexdigest() == diff, "another diff id: " + diff)
                with tarfile.open(fileobj=io.BytesIO(content)) as opened:
                    names_of[diff] = set(opened.getnames())
            names |= names_of[diff]
        check(config["config"]["User"].split(":")[0] not in ("", "0", "root"), "the user is root")
        images[descriptor["annotations"]["org.opencontainers.image.ref.name"]] = names
    for old in json.loads(files["manifest.json"]):
        check(all(name in files for name in old["Layers"] + [old["Config"]]), "manifest.json names files that are not there")
        check(old["RepoTags"][0] in images, "manifest.json names another image")
    return images


def docker(*arguments, expected=0, **more):
    ended = subprocess.run(("docker",) + arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           universal_newlines=True, timeout=SECONDS_MAX, **more)
    check(ended.returncode == expected, "exit status %d of docker %s:\n%s" % (ended.returncode, " ".join(arguments), ended.stdout))
    return ended.stdout


def engine_answers():
    if not shutil.which("docker"):
        return False
    ended = subprocess.run(["docker", "info"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
    return ended.returncode == 0


def run(*arguments, expected=0):
    # As production should: what may be written is named.
    return docker("run", "--label", LABEL, "--network", "none", "--read-only", "--tmpfs", "/tmp:exec", "--cap-drop", "ALL",
                  "--security-opt", "no-new-privileges", "--memory", "768m", *arguments, expected=expected)


def starts(photon, tools, work):
    # The engine may be told to read files here by a user that is not ours.
    os.chmod(work, 0o755)
    check("photon " in run("--rm", photon, "--version").lower(), "no version")
    passed("photon --version, with a root that is read-only")
    check("/etc/photon/photon.yaml" in run("--rm", photon, "run", "registry", "--name", "r0", expected=2), "the file is not named")
    passed("without a configuration it ends with exit status 2 and names the file")
    check("issue" in run("--rm", tools, "certs", "--help"), "photon-tools has no certs")
    passed("photon-tools has the verbs that production does not need")

    example = os.path.join(REPOSITORY, "docs/examples/ads")
    name = "photon-test-image-%d" % os.getpid()
    said = run("--name", name, "-v", name + ":/var/lib/photon", "-v", example + ":/etc/photon:ro", photon, "local",
               "--output", "output", "--state", "state", "--until-idle", "1s", "--json")
    with open(os.path.join(example, "ANSWER.json"), encoding="utf-8") as file:
        answer = json.load(file)
    books = json.loads(said[said.index("{"):said.rindex("}") + 1])
    check(books["joined"] == answer["joined"] and books["unaccounted"] == 0, "another answer: " + said)
    with tarfile.open(fileobj=io.BytesIO(subprocess.run(["docker", "cp", name + ":/var/lib/photon/output", "-"], check=True,
                                                        stdout=subprocess.PIPE).stdout)) as copied:
        owners = {member.uid for member in copied if member.name.endswith(".jsonl")}
    check(len(owners) == 1 and 0 not in owners, "owners of the output: %s" % owners)
    passed("photon local joins the example, as a user that is not root")

    configuration = os.path.join(work, "photon.yaml")
    with open(os.path.join(example, "photon.yaml"), encoding="utf-8") as file, open(configuration, "w", encoding="utf-8") as both:
        both.write(file.read() + REGISTRY)
    os.chmod(configuration, 0o644)
    daemon = run("--detach", "-v", name + ":/var/lib/photon", "-v", configuration + ":/etc/photon/photon.yaml:ro", photon,
                 "run", "registry", "--name", "r0").split()[-1]
    until = time.monotonic() + SECONDS_MAX
    while "serves on" not in docker("logs", daemon):
        check(docker("inspect", "-f", "{{.State.Running}}", daemon).strip() == "true", "the daemon has ended:\n" + docker("logs", daemon))
        check(time.monotonic() < until, "the daemon does not serve:\n" + docker("logs", daemon))
        time.sleep(0.2)
    docker("stop", "--time", "120", daemon)
    status = int(docker("inspect", "-f", "{{.State.ExitCode}}", daemon))
    check(status in (0, 143), "exit status %d after SIGTERM:\n%s" % (status, docker("logs", daemon)))
    passed("a registry server serves, and ends in good order on SIGTERM, with exit status %d" % status)


def remove(tags):
    for kind, of in (("container", ["ps", "-aq", "--filter", "label=" + LABEL]), ("volume", ["volume", "ls", "-q", "--filter", "name=photon-test-image-%d" % os.getpid()])):
        for each in docker(*of).split():
            docker(kind, "rm", "-f", each)
    for tag in tags:
        subprocess.run(["docker", "rmi", tag], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main(arguments):
    tarball = (arguments or glob.glob(os.path.join(REPOSITORY, "deploy/dist/target/photon-*.tar.gz")))[0]
    with tempfile.TemporaryDirectory() as work:
        one, another = os.path.join(work, "one.tar"), os.path.join(work, "another.tar")
        build(tarball, one)
        build(tarball, another, TZ="Asia/Tokyo", LC_ALL="C.UTF-8")
        check(filecmp.cmp(one, another, shallow=False), "two builds differ")
        os.remove(another)
        passed("two builds make the same %d MB" % (os.path.getsize(one) // 1000000))
        images = read(one)
        tools, photon = sorted(images)
        check(tools.startswith("photon-tools:") and photon.startswith("photon:"), "other images: %s" % sorted(images))
        check(not any("/lib/tools/" in name for name in images[photon]), "photon has the tools in it")
        check(not any(name.startswith("bin/") or name.endswith("/sh") for image in images.values() for name in image), "there is a shell")
        passed("every digest and size is right; no shell; no tools in the image of production")
        if engine_answers():
            docker("load", "-i", one)
            try:
                starts(photon, tools, work)
            finally:
                remove(images)
        else:
            print("not run: no container engine answers ('docker info'), so nothing was started")
        if len(arguments) > 1:
            shutil.move(one, arguments[1])


if __name__ == "__main__":
    main(sys.argv[1:])
