#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: repository.sh HOME JDK VERSION FOLDER
# Makes a Maven repository in FOLDER of the client for the JVM, that of offloaded methods with their
# annotation processor, and the modules that they need, with their sources, from what was built in
# the sources' folder HOME, with a JDK's tools. Its poms have no parent, so that the repository is
# all that a program's build needs.
set -eu
root=$1 jdk=$2 version=$3 folder=$4
group=io.outboard
date=2026-11-21T00:00:00Z
# Maven would keep the first file of a snapshot for ever if its name did not say when it was made.
made=$(date -u +%Y%m%d.%H%M%S)
case $version in
  *-SNAPSHOT) unique=${version%SNAPSHOT}$made-1 ;;
  *) unique=$version ;;
esac
staging=$(mktemp -d "${TMPDIR:-/tmp}/outboard-repository.XXXXXX")
trap 'rm -rf "$staging"' EXIT
mkdir -p "$staging/licence/META-INF"
cp "$root/LICENSE" "$staging/licence/META-INF/"

# The modules that one needs when it runs, as its pom says. All of them are Outboard's own; another
# would have to be brought too.
needed() {
  awk -F'[<>]' -v group="$group" '
    $2 == "dependency" { scoped = 0 }
    $2 == "groupId" { from = $3 }
    $2 == "artifactId" { name = $3 }
    $2 == "scope" { scoped = 1 }
    $2 == "/dependency" && !scoped {
      if (from != group) { print "repository.sh: there is no place for " from ":" name > "/dev/stderr"; exit 1 }
      sub(/^outboard-/, "", name)
      print name
    }' "$root/$1/pom.xml"
}

# collect MODULE: it and what it needs, each once, into modules
collect() {
  case " $modules " in
    *" $1 "*) return ;;
  esac
  modules="$modules $1"
  direct=$(needed "$1")
  for module in $direct; do
    collect "$module"
  done
}

# of MODULE TAG: what its pom says of the module
of() {
  sed -n "s,^  <$2>\(.*\)</$2>\$,\1,p" "$root/$1/pom.xml"
}

pom() {
  cat <<END_OF_POM
<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0"
         xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
         xsi:schemaLocation="http://maven.apache.org/POM/4.0.0 https://maven.apache.org/xsd/maven-4.0.0.xsd">
  <modelVersion>4.0.0</modelVersion>
  <groupId>$group</groupId>
  <artifactId>outboard-$1</artifactId>
  <version>$version</version>
  <name>$(of "$1" name)</name>
  <description>$(of "$1" description)</description>
  <licenses>
    <license>
      <name>Apache-2.0</name>
    </license>
  </licenses>
  <dependencies>
END_OF_POM
  direct=$(needed "$1")
  for module in $direct; do
    cat <<END_OF_DEPENDENCY
    <dependency>
      <groupId>$group</groupId>
      <artifactId>outboard-$module</artifactId>
      <version>$version</version>
    </dependency>
END_OF_DEPENDENCY
  done
  printf '  </dependencies>\n</project>\n'
}

# archive FILE FOLDER...
archive() {
  file=$1
  shift
  for from; do
    set -- "$@" -C "$from" .
    shift
  done
  "$jdk/bin/jar" --create --file "$file" --date "$date" -C "$staging/licence" META-INF "$@"
}

publish() {
  artifact=$folder/io/outboard/outboard-$1/$version/outboard-$1-$unique
  mkdir -p "${artifact%/*}"
  pom "$1" >"$artifact.pom"
  archive "$artifact.jar" "$root/$1/target/classes"
  archive "$artifact-sources.jar" "$root/$1/src/main/java" "$root/$1/target/generated-sources/annotations"
  [ "$unique" = "$version" ] || metadata "$1" >"${artifact%/*}/maven-metadata.xml"
}

# Which files the snapshot is now.
metadata() {
  cat <<END_OF_METADATA
<?xml version="1.0" encoding="UTF-8"?>
<metadata modelVersion="1.1.0">
  <groupId>$group</groupId>
  <artifactId>outboard-$1</artifactId>
  <version>$version</version>
  <versioning>
    <snapshot>
      <timestamp>$made</timestamp>
      <buildNumber>1</buildNumber>
    </snapshot>
    <lastUpdated>$(echo "$made" | tr -d .)</lastUpdated>
  </versioning>
</metadata>
END_OF_METADATA
}

# The Javadoc that a program's author reads.
publish_documents() {
  artifact=$folder/io/outboard/outboard-client/$version/outboard-client-$unique
  find "$root/client/src/main/java" -name '*.java' -exec "$jdk/bin/javadoc" -quiet -notimestamp -Xdoclint:none -d "$staging/documents" \
    -cp "$root/cuda/target/classes:$root/communicator/target/classes:$root/wire/target/classes:$root/spec/target/classes" {} +
  archive "$artifact-javadoc.jar" "$staging/documents"
}

add_checksums() {
  find "$folder" -type f ! -name '*.sha1' | while read -r file; do
    sha1sum <"$file" | cut -d ' ' -f 1 >"$file.sha1"
  done
}

modules=
collect client
collect offload-client
collect offload-processor
for each in $modules; do
  publish "$each"
done
publish_documents
add_checksums
