#!/usr/bin/env python3
"""Makes an archive with the image photon-hdfs: a NameNode, a DataNode and the shell of HDFS, to try Photon with. It needs no
container engine and no registry of images.

Usage: deploy/image/hdfs.py [TARBALL [IMAGE.tar]]
Needs what build.py needs, and the servers of HDFS, which 'mvn -Phdfs -pl demo/hdfs package' fetches.
"""
import glob, os, re, shutil, sys, tarfile, tempfile

sys.dont_write_bytecode = True
import build

CLIENT = re.compile(r"/(hadoop-client-(api|runtime)|slf4j-api|commons-logging|logback-(classic|core))-[0-9][^/]*\.jar$")
# What the servers call for free space, modes of files, and groups of users.
PROGRAMS = ("bash", "chmod", "df", "du", "id", "ls")
HDFS = "opt/hdfs/hdfs"
# A NameNode makes the directory of a new HDFS first.
START = r"""#!/bin/bash
set -eu
java=(/opt/java/bin/java ${HDFS_JAVA_OPTS:--Xmx192m -XX:+UseSerialGC -XX:TieredStopAtLevel=1} -cp "$HADOOP_CONF_DIR:/opt/hdfs/conf:/opt/hdfs/lib/*")
what=${1:-}
[ $# -eq 0 ] || shift
case "$what" in
  namenode)
    names=/var/lib/photon/state/name
    set -- org.apache.hadoop.hdfs.server.namenode.NameNode -D "dfs.namenode.name.dir=file://$names" "$@"
    # Written last. Without it nothing was ever kept there.
    [ -f "$names/current/VERSION" ] || "${java[@]}" "$@" -format -force
    ;;
  datanode) set -- org.apache.hadoop.hdfs.server.datanode.DataNode -D dfs.datanode.data.dir=file:///var/lib/photon/state/data "$@" ;;
  fs) set -- org.apache.hadoop.fs.FsShell "$@" ;;
  *) echo "usage: namenode|datanode|fs [-D KEY=VALUE]... [ARGUMENT]..." >&2; exit 2 ;;
esac
exec "${java[@]}" "$@"
"""
LOGS = """<configuration>
  <appender name="STDERR" class="ch.qos.logback.core.ConsoleAppender">
    <target>System.err</target>
    <encoder><pattern>%d{HH:mm:ss.SSS} %level %logger{0}: %msg%n</pattern></encoder>
  </appender>
  <!-- What each start says, and nobody can change. -->
  <logger name="org.apache.hadoop.util.NativeCodeLoader" level="ERROR"/>
  <logger name="org.apache.hadoop.util.ShutdownHookManager" level="ERROR"/>
  <logger name="org.apache.hadoop.security.authentication.server.AuthenticationFilter" level="ERROR"/>
  <root level="WARN"><appender-ref ref="STDERR"/></root>
</configuration>
"""


def servers(repository):
    found = glob.glob(os.path.join(repository, "demo/hdfs/target/lib/hadoop-client-minicluster-*.jar"))
    if len(found) != 1:
        build.fail("expected the servers of HDFS in demo/hdfs/target/lib: 'mvn -Phdfs -pl demo/hdfs package' fetches them")
    return found[0]


def hdfs(unpacked, minicluster):
    layer = build.Layer()
    programs = {name: shutil.which(name) for name in PROGRAMS}
    for name, path in programs.items():
        layer.file("bin/" + name, path)
    for library in build.needed(programs.values()):
        layer.file(library.lstrip("/"), library)
    layer.program(HDFS, START)
    layer.text("opt/hdfs/conf/logback.xml", LOGS)
    # The shell ends if there is none.
    layer.text("opt/hdfs/conf/core-site.xml", "<configuration/>\n")
    for jar in [minicluster] + [jar for jar in glob.glob(unpacked + "/lib/*.jar") if CLIENT.search(jar)]:
        layer.file("opt/hdfs/lib/" + os.path.basename(jar), jar)
    return layer


def config(version):
    config = build.config("photon-hdfs", version, "")
    config["config"].update({"Entrypoint": ["/" + HDFS], "Cmd": [],
                             "Env": ["PATH=/opt/java/bin:/bin", "HADOOP_CONF_DIR=/etc/hadoop"]})
    return config


def main(arguments):
    repository, tarball, version, target = build.arguments(arguments, "hdfs-image")
    minicluster = servers(repository)
    archive = build.Archive()
    with tempfile.TemporaryDirectory() as work:
        with tarfile.open(tarball) as opened:
            opened.extractall(work)
        layers = [archive.layer(build.base(build.runtime(work))), archive.layer(hdfs(os.path.join(work, "photon-" + version), minicluster))]
    archive.image("photon-hdfs:" + version.lower(), config(version), layers)
    archive.write(target)
    print(target)


if __name__ == "__main__":
    main(sys.argv[1:])
