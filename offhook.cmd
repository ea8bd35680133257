@echo off
rem Starts Offhook on Windows with an AOT cache: from a checkout, where it finds a JDK 25 and builds on first use and when
rem sources have changed, or as bin\offhook.cmd of an image, which has its own runtime. What it does is what offhook does.
rem OFFHOOK_JAVA_HOME names the JDK to use; OFFHOOK_JAVA_OPTIONS adds options for the JVM.
setlocal EnableDelayedExpansion
set "root=%~dp0"
if "%root:~-1%"=="\" set "root=%root:~0,-1%"
rem in an image this is bin\offhook.cmd
if not exist "%root%\pom.xml" if exist "%root%\..\lib\offhook-cli.jar" for %%r in ("%root%\..") do set "root=%%~fr"

set "java_home="
call :try "%OFFHOOK_JAVA_HOME%"
call :try "%root%\runtime"
call :try "%JAVA_HOME%"
for /f "delims=" %%j in ('where java 2^>nul') do (
  for %%k in ("%%~dpj..") do call :try "%%~fk"
)
for %%p in ("%ProgramFiles%\Eclipse Adoptium" "%ProgramFiles%\Java" "%ProgramFiles%\Microsoft" "%ProgramFiles%\Zulu" "%ProgramFiles%\Amazon Corretto" "%USERPROFILE%\.jdks") do (
  if exist "%%~p" for /d %%d in ("%%~p\*25*") do call :try "%%~fd"
)
if not defined java_home (
  echo offhook: needs a JDK 25 ^(25.0.3 or later^) and found none in JAVA_HOME, PATH or the usual folders. 1>&2
  echo          Install one ^(winget install EclipseAdoptium.Temurin.25.JDK^), or set OFFHOOK_JAVA_HOME to where it is. 1>&2
  exit /b 69
)

set "lib=%root%\lib"
if exist "%root%\pom.xml" (
  set "lib=%root%\apps\cli\target\lib"
  set "stale="
  if not exist "!lib!\built" (
    set "stale=1"
    echo offhook: building on first use ^(a minute or two^)... 1>&2
  ) else (
    powershell -NoProfile -Command "$b=(Get-Item '!lib!\built').LastWriteTime; if (Get-ChildItem '%root%\*\*\src\main','%root%\*\*\pom.xml','%root%\*\pom.xml','%root%\pom.xml' -Recurse -File | Where-Object {$_.LastWriteTime -gt $b} | Select-Object -First 1) {exit 1} else {exit 0}"
    if errorlevel 1 (
      set "stale=1"
      echo offhook: sources have changed, building again... 1>&2
    )
  )
  if defined stale (
    pushd "%root%"
    if not exist apps\cli\target mkdir apps\cli\target
    call mvn -B -q -pl apps/cli -am -Dmaven.test.skip=true package > apps\cli\target\build.log 2>&1
    if errorlevel 1 (
      type apps\cli\target\build.log 1>&2
      echo offhook: the build failed; all of its output is in %root%\apps\cli\target\build.log 1>&2
      popd
      exit /b 69
    )
    popd
    if exist "!lib!\offhook.aot" del "!lib!\offhook.aot"
    echo built> "!lib!\built"
  )
)

rem Java refuses two collectors
set "flags=-XX:+UseSerialGC"
echo %OFFHOOK_JAVA_OPTIONS% %JDK_JAVA_OPTIONS% %JAVA_TOOL_OPTIONS% | findstr /r /c:"-XX:+Use[A-Za-z0-9]*GC" >nul && set "flags="
set "flags=%flags% -Xlog:disable -Xlog:all=error:stderr"
set "main=%lib%\offhook-cli.jar"
if defined OFFHOOK_JAVA_OPTIONS (
  rem a Java that does not start ends with 1, which would read as --fail-on
  "%java_home%\bin\java" %flags% %OFFHOOK_JAVA_OPTIONS% -version >nul 2>&1
  if errorlevel 1 (
    "%java_home%\bin\java" %flags% %OFFHOOK_JAVA_OPTIONS% -version 1>&2
    echo offhook: Java does not start with OFFHOOK_JAVA_OPTIONS as they are. 1>&2
    exit /b 69
  )
  "%java_home%\bin\java" %flags% %OFFHOOK_JAVA_OPTIONS% -jar "%main%" %*
  exit /b !errorlevel!
)
if not exist "%lib%\offhook.aot" (
  rem under a name of its own first: another process may do the same at the same time
  set "fresh=%RANDOM%"
  "%java_home%\bin\java" %flags% -XX:AOTCacheOutput="%lib%\offhook.aot.!fresh!" -jar "%main%" train "%root%\samples" >nul 2>&1
  if exist "%lib%\offhook.aot.!fresh!" move /y "%lib%\offhook.aot.!fresh!" "%lib%\offhook.aot" >nul 2>&1
)
"%java_home%\bin\java" %flags% -XX:AOTCache="%lib%\offhook.aot" -XX:AOTMode=auto -jar "%main%" %*
exit /b %errorlevel%

:try
if defined java_home exit /b 0
if "%~1"=="" exit /b 0
if not exist "%~1\bin\java.exe" exit /b 0
if not exist "%~1\release" exit /b 0
for /f "tokens=2 delims==" %%v in ('findstr /b "JAVA_VERSION=" "%~1\release"') do set "version=%%~v"
for /f "tokens=1,2,3 delims=.-+" %%a in ("%version%") do (
  if %%a GTR 25 set "java_home=%~1"
  if %%a EQU 25 (
    if "%%b"=="" exit /b 0
    if %%b GTR 0 set "java_home=%~1"
    if "%%b"=="0" if %%c GEQ 3 set "java_home=%~1"
  )
)
exit /b 0
