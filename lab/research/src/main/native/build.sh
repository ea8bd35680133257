#!/bin/sh
# Builds the peers in C and C++: a shared library of each folder here. Never fails: where there is no compiler, or headers
# are missing, target/native gets a file that says what was missing, and the benchmarks tell it.
# build.sh JAVA_HOME TARGET
java_home=$1
out=$2/native
generated=$2/generated-sources/native
mkdir -p "$out"
suffix=so
[ "$(uname)" = Darwin ] && suffix=dylib
# which headers there are for JNI: those of the JVM that Maven runs on do
include="-I$java_home/include -I$java_home/include/$(uname | tr '[:upper:]' '[:lower:]')"

for folder in "$(dirname "$0")"/*/; do
  name=$(basename "$folder")
  library=$out/liboffhook-research-$name.$suffix
  sources=$(find "$folder" "$generated/$name" -name '*.c' -o -name '*.cpp' -o -name '*.cc' 2>/dev/null)
  compiler=${CC:-cc}
  case $sources in *.cpp* | *.cc*) compiler=${CXX:-c++} ;; esac
  inputs="$0 $sources $folder $(dirname "$0")/*.h"
  # shellcheck disable=SC2086  # files are words
  if [ -f "$library" ] && [ -z "$(find $inputs -type f -newer "$library" 2>/dev/null)" ]; then
    continue
  fi
  rm -f "$library" "$library.missing"
  if ! command -v "$compiler" >/dev/null 2>&1; then
    echo "there is no compiler ($compiler)" >"$library.missing"
    continue
  fi
  libraries=
  [ -f "$folder/libraries" ] && libraries=$(cat "$folder/libraries")
  flags=
  [ -f "$folder/flags" ] && flags=$(cat "$folder/flags")
  if [ -f "$folder/packages" ]; then
    packages=$(cat "$folder/packages")
    # shellcheck disable=SC2086  # packages are words
    if ! flags="$(pkg-config --cflags $packages 2>/dev/null) $flags"; then
      echo "pkg-config does not know $packages" >"$library.missing"
      continue
    fi
    # shellcheck disable=SC2086
    libraries="$libraries $(pkg-config --libs $packages)"
  fi
  # shellcheck disable=SC2086  # options and files are words
  "$compiler" -O3 $flags -g -fPIC -shared -Wall -Wextra $include -I"$generated/$name" -o "$library" $sources $libraries \
    2>"$out/$name.log" || {
    rm -f "$library"
    echo "it could not be compiled: $(grep -m 1 -i 'error' "$out/$name.log")" >"$library.missing"
  }
done
