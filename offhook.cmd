@echo off
rem Starts Offhook on Windows with an AOT cache, as offhook does elsewhere: from a checkout, where it finds a JDK 25 and builds
rem on first use and when sources have changed, or as bin\offhook.cmd of an image, which has its own runtime.
rem OFFHOOK_JAVA_HOME names the JDK to use; OFFHOOK_JAVA_OPTIONS adds options for the JVM (then without the AOT cache).
rem
rem Characters that cmd interprets (%%, ^, &, !, brackets) stay as they are in paths and arguments: delayed expansion is off,
rem paths are between quotes, arguments are outside of blocks, and subroutines take variables, as CALL expands its line twice.
setlocal EnableExtensions DisableDelayedExpansion

rem the exit code if Offhook cannot be started, as in docs/OUTPUT.md
set "unavailable=69"
set "root=%~dp0"
set "root=%root:~0,-1%"
set "needed=java"
if exist "%root%\pom.xml" (
  set "needed=javac"
) else (
  if exist "%root%\..\lib\offhook-cli.jar" for %%r in ("%root%\..") do set "root=%%~fr"
)

set "java_home="
set "candidate=%OFFHOOK_JAVA_HOME%"
call :try
if defined OFFHOOK_JAVA_HOME if not defined java_home (
  echo offhook: OFFHOOK_JAVA_HOME is "%OFFHOOK_JAVA_HOME%", which is not a JDK 25 ^(25.0.3 or later^). 1>&2
  exit /b %unavailable%
)
set "candidate=%root%\runtime"
call :try
set "candidate=%JAVA_HOME%"
call :try
for %%j in (java.exe) do set "path_java=%%~dp$PATH:j"
if defined path_java for %%j in ("%path_java%..") do set "candidate=%%~fj"
if defined path_java call :try
for /d %%d in ("%ProgramFiles%\Eclipse Adoptium\*25*" "%ProgramFiles%\Java\*25*" "%ProgramFiles%\Microsoft\*25*" "%ProgramFiles%\Zulu\*25*" "%ProgramFiles%\Amazon Corretto\*25*" "%USERPROFILE%\.jdks\*25*") do (
  set "candidate=%%~fd"
  call :try
)
if not defined java_home (
  echo offhook: needs a JDK 25 ^(25.0.3 or later^) and found none in JAVA_HOME, PATH or the usual folders. 1>&2
  echo          Install one ^(winget install EclipseAdoptium.Temurin.25.JDK^), or set OFFHOOK_JAVA_HOME to where it is. 1>&2
  exit /b %unavailable%
)

rem benchmarks, the traffic generator and what makes books of .proto files exist in a checkout only, and need what the command
rem does not
set "module=apps\cli"
set "modules=apps/cli"
set "what="
if "%~1"=="bench" if exist "%root%\lab\research\pom.xml" (
  set "module=lab\research"
  set "modules=lab/research,lab/bench -Presearch"
  set "what=the benchmarks "
)
if "%~1"=="generate" if exist "%root%\lab\testkit\pom.xml" (
  set "module=lab\testkit"
  set "modules=lab/testkit"
  set "what=the generator "
)
set "cluster="
if "%~1"=="probe" set "cluster=1"
if "%~1"=="cluster" set "cluster=1"
if defined cluster if exist "%root%\apps\cluster\pom.xml" (
  set "module=apps\cluster"
  set "modules=apps/cluster"
  set "what=the probe "
)
set "docbook="
if "%~1"=="docbook" set "docbook=io.offhook.docbook.render.Main"
if "%~1"=="protoc-gen-docbook" set "docbook=io.offhook.docbook.ProtocPlugin"
if defined docbook if exist "%root%\apps\docbook\pom.xml" (
  set "module=apps\docbook"
  set "modules=apps/docbook"
  set "what=the maker of books "
)

set "lib=%root%\lib"
if not exist "%root%\pom.xml" goto built
set "target=%module%\target"
set "lib=%root%\%target%\lib"
set "sources=%TEMP%\offhook-sources.%RANDOM%"
set "failed="
pushd "%root%"
call :look_for_changes
if defined stale call :build_alone
popd
del "%sources%"
if defined failed exit /b %unavailable%
:built

rem what follows the first word is for the program
set words=%*
if "%module%"=="lab\research" goto bench
if "%module%"=="lab\testkit" goto generate
if "%module%"=="apps\docbook" goto docbook
if "%module%"=="apps\cluster" goto cluster

rem Java refuses two collectors
set "flags=-XX:+UseSerialGC"
set "options=%OFFHOOK_JAVA_OPTIONS% %JDK_JAVA_OPTIONS% %JAVA_TOOL_OPTIONS%"
set "options=%options:"=%"
set "rest=%options:*-XX:+Use=%"
if not "%rest%"=="%options%" if not "%rest:GC=%"=="%rest%" set "flags="
set "flags=%flags% -Xlog:disable -Xlog:all=error:stderr"
set "main=%lib%\offhook-cli.jar"
if "%options%"=="  " goto no_options
rem a Java that does not start ends with 1, which would read as --fail-on
"%java_home%\bin\java.exe" %flags% %OFFHOOK_JAVA_OPTIONS% -version >nul 2>&1
if errorlevel 1 goto refused
if defined OFFHOOK_JAVA_OPTIONS goto with_options
:no_options

rem A capture below a gigabyte is read before the second compiler has paid for itself (docs/decisions/0005); a compressed one
rem is five times as large inside. Sizes are added in units of 1,000,000 bytes, as numbers have 32 bits here.
set "compiler="
set "megabytes=0"
:next_word
if "%~1"=="" goto sized
if "%~1"=="-" set "megabytes=1074"
for %%f in ("%~1") do (
  set "size=%%~zf"
  set "type=%%~xf"
  call :add_size
)
shift /1
goto next_word
:sized
if %megabytes% GEQ 1074 goto compilers
set "compiler=%lib%\first-compiler.options"
if not exist "%compiler%" set "compiler=%root%\apps\cli\src\image\first-compiler.options"
set compiler="@%compiler%"
:compilers

set "cache=%lib%\offhook-%version%.aot"
if exist "%cache%" goto trained
rem under a name of its own first: another process may do the same at the same time
set "fresh=%cache%.%RANDOM%"
"%java_home%\bin\java.exe" %flags% -XX:AOTCacheOutput="%fresh%" -jar "%main%" train "%root%\samples" >nul 2>&1
if exist "%fresh%" move /y "%fresh%" "%cache%" >nul 2>&1
:trained
"%java_home%\bin\java.exe" %flags% %compiler% -XX:AOTCache="%cache%" -XX:AOTMode=auto -jar "%main%" %*
exit /b %errorlevel%

:with_options
"%java_home%\bin\java.exe" %flags% %OFFHOOK_JAVA_OPTIONS% -jar "%main%" %*
exit /b %errorlevel%

:refused
"%java_home%\bin\java.exe" %flags% %OFFHOOK_JAVA_OPTIONS% -version 1>&2
echo offhook: Java does not start with OFFHOOK_JAVA_OPTIONS, JDK_JAVA_OPTIONS and JAVA_TOOL_OPTIONS as they are. 1>&2
exit /b %unavailable%

:bench
"%java_home%\bin\java.exe" --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -Djava.awt.headless=true -Doffhook.research.native="%root%\lab\research\target\native" -cp "%root%\lab\research\target\classes;%lib%\*" io.offhook.research.Main %words:*bench=%
exit /b %errorlevel%

:generate
"%java_home%\bin\java.exe" --enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -cp "%root%\lab\testkit\target\classes;%lib%\*" io.offhook.testkit.generate.Main %words:*generate=%
exit /b %errorlevel%

:cluster
"%java_home%\bin\java.exe" -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED %OFFHOOK_JAVA_OPTIONS% -cp "%root%\apps\cluster\target\classes;%lib%\*" io.offhook.cluster.Main %words%
exit /b %errorlevel%

:docbook
"%java_home%\bin\java.exe" -XX:+UseSerialGC -cp "%root%\apps\docbook\target\classes;%lib%\*" %docbook% %words:*docbook=%
exit /b %errorlevel%

rem Sets java_home and version if candidate is the home of a JDK or runtime of version 25.0.3 or later (25.0.0 to 25.0.2 have a
rem G1 bug), unless java_home is set.
:try
if defined java_home exit /b 0
if not defined candidate exit /b 0
if not exist "%candidate%\bin\%needed%.exe" exit /b 0
if not exist "%candidate%\release" exit /b 0
set "version="
for /f "usebackq tokens=1,2 delims==" %%k in ("%candidate%\release") do if "%%k"=="JAVA_VERSION" set "version=%%~l"
if not defined version exit /b 0
for /f "tokens=1 delims=-+" %%v in ("%version%") do set "version=%%v"
set "minor=0"
set "patch=0"
for /f "tokens=1-3 delims=." %%a in ("%version%") do (
  set "major=%%a"
  if not "%%b"=="" set "minor=%%b"
  if not "%%c"=="" set "patch=%%c"
)
if %major% LSS 25 exit /b 0
if %major% EQU 25 if %minor% EQU 0 if %patch% LSS 3 exit /b 0
set "java_home=%candidate%"
exit /b 0

rem Adds the size of a file of this type to megabytes.
:add_size
if not defined size exit /b 0
set "units=%size:~0,-6%"
if not defined units exit /b 0
for %%t in (.gz .zst .zstd) do if /i "%type%"=="%%t" set /a units*=5
set /a megabytes+=units
exit /b 0

rem Sets stale to why the jars must be built, or to nothing. The file built lists what they were built from: times to the
rem minute, sizes, names.
:look_for_changes
call :list_sources >"%sources%"
set "stale=first"
if not exist %target%\lib\built exit /b 0
set "stale="
fc /b "%sources%" %target%\lib\built >nul 2>&1
if errorlevel 1 set "stale=changed"
exit /b 0

:list_sources
for %%p in (pom.xml apps\pom.xml lab\pom.xml packets\pom.xml voip\pom.xml wire\pom.xml) do if exist %%p echo %%~tzp %%p
for /d %%m in (apps\* lab\* packets\* voip\* wire\*) do (
  for %%p in (%%m\pom.xml) do if exist %%p echo %%~tzp %%p
  if exist %%m\src\main\ (
    pushd %%m\src\main
    for /r %%f in (*) do echo %%~tzf %%f
    popd
  )
)
exit /b 0

rem Waits until no other process builds, then builds if that is still needed. The lock is a file that is open for writing: it
rem is released with the process that holds it, however that ends.
:build_alone
if not exist apps\cli\target\ mkdir apps\cli\target
if not exist %target%\ mkdir %target%
if "%stale%"=="first" echo offhook: building %what%on first use ^(a minute or two^)... 1>&2
if "%stale%"=="changed" echo offhook: sources have changed, building again... 1>&2
set "waiting="
:next_try
set "held="
call :build 9>apps\cli\target\build.lock 2>nul
if "%failed%"=="maven" echo offhook: needs Maven 3.8.7 or later to build itself; there is no mvn.cmd in PATH. 1>&2
if "%failed%"=="build" (
  type %target%\build.log 1>&2
  echo offhook: the build failed; all of its output is in "%root%\%target%\build.log" 1>&2
)
if defined held exit /b 0
if not exist apps\cli\target\build.lock (
  echo offhook: cannot write to "%root%\apps\cli\target", and the build goes there. 1>&2
  set "failed=1"
  exit /b 0
)
if not defined waiting echo offhook: another process is building, waiting for "%root%\apps\cli\target\build.lock"... 1>&2
set "waiting=1"
ping -n 2 127.0.0.1 >nul
goto next_try

:build
set "held=1"
call :look_for_changes
if not defined stale exit /b 0
set "maven="
for %%m in (mvn.cmd) do set "maven=%%~$PATH:m"
if not defined maven (
  set "failed=maven"
  exit /b 0
)
set "JAVA25_HOME=%java_home%"
call mvn.cmd -B -q -pl %modules% -am "-Derrorprone.checks=-XepDisableAllChecks" "-Dnullaway.level=-Xep:NullAway:OFF" -DskipTests -Dmaven.test.skip=true package <nul >%target%\build.log 2>&1
if errorlevel 1 (
  set "failed=build"
  exit /b 0
)
del %target%\lib\*.aot
copy /y "%sources%" %target%\lib\built >nul
exit /b 0
