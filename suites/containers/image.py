#!/usr/bin/env python3
"""Makes the root directory of an image in which servers of HDFS run: a Java runtime, a few programs, the C libraries that they need, and jars.

Usage: suites/containers/image.py ROOT.tar JAVA_HOME LOGBACK.xml JAR...
It takes the Java runtime as it is: jlink, with which the images of the distribution are made, takes 20 seconds longer.
"""
import os, re, shutil, sys

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(REPOSITORY, "deploy/image"))
sys.dont_write_bytecode = True
import build

# What a JDK has for those who compile.
LEFT_OUT = re.compile(r"^opt/java/(jmods|man|include|lib/src\.zip|lib/ct\.sym)(/|$)")
# What the servers call for free space, modes of files, and groups of users.
PROGRAMS = ("bash", "chmod", "df", "du", "id", "ls")


def main(target, java_home, logback, *jars):
    layer = build.base(java_home)
    layer.entries = {name: entry for name, entry in layer.entries.items() if not LEFT_OUT.match(name)}
    programs = {name: shutil.which(name) for name in PROGRAMS}
    for name, path in programs.items():
        layer.file("bin/" + name, path)
    for library in build.needed(programs.values()):
        layer.file(library.lstrip("/"), library)
    layer.file("opt/hdfs/conf/logback.xml", logback)
    for jar in jars:
        layer.file("opt/hdfs/lib/" + os.path.basename(jar), jar)
    with open(target, "wb") as out:
        out.write(layer.tar())


if __name__ == "__main__":
    main(*sys.argv[1:])
