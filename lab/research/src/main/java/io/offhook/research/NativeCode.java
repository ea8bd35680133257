package io.offhook.research;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The peers in C and C++, built by src/main/native/build.sh: a library each, beside the classes. If no compiler was found,
 * or a library's headers were missing, a file with the reason replaces it.
 */
public final class NativeCode {
    static final Path FOLDER = Path.of(System.getProperty("offhook.research.native", "lab/research/target/native"))
            .toAbsolutePath();

    private final Path library;

    /** @param name of its folder in src/main/native */
    public NativeCode(String name) {
        library = FOLDER.resolve(System.mapLibraryName("offhook-research-" + name));
    }

    /** Returns why it is missing; null if it is not. */
    public @Nullable String missing() {
        if (Files.isRegularFile(library)) {
            return null;
        }
        Path why = Path.of(library + ".missing");
        try {
            return Files.isRegularFile(why)
                    ? Files.readString(why).strip()
                    : "it was not built: there is no " + library;
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Loads it for JNI. */
    public void load() {
        System.load(library.toString());
    }

    /** Returns its path, for other ways of loading. */
    public Path path() {
        return library;
    }

    /** Returns one of its functions, for FFM. */
    public MethodHandle downcall(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        SymbolLookup symbols = SymbolLookup.libraryLookup(library, Arena.global());
        return Linker.nativeLinker().downcallHandle(symbols.findOrThrow(name), descriptor, options);
    }
}
