package io.offhook.library;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The public types of a module, found where its classes are, so that a new one cannot be forgotten. */
final class ExportedTypes {
    /** Those that see bytes of the network. */
    static final List<String> MODULES = List.of("packet", "filter", "flow", "pcap", "sip", "rtp");

    private ExportedTypes() {}

    /** Of all modules, by name. */
    static List<Class<?>> all() {
        return MODULES.stream().<Class<?>>flatMap(module -> of(module).stream()).toList();
    }

    /** Of one module, by name; nested types are not listed. */
    static List<Class<?>> of(String module) {
        try {
            Path place = Path.of(Class.forName("io.offhook." + module + ".package-info")
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            if (Files.isDirectory(place)) {
                return in(place);
            }
            try (FileSystem jar = FileSystems.newFileSystem(place)) {
                return in(jar.getPath("/"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ReflectiveOperationException | URISyntaxException e) {
            throw new LinkageError(module, e);
        }
    }

    private static List<Class<?>> in(Path place) throws IOException {
        List<Class<?>> types = new ArrayList<>();
        for (String exported : exports(place.resolve("module-info.class"))) {
            try (Stream<Path> files = Files.list(place.resolve(exported.replace('.', '/')))) {
                files.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith(".class") && !name.contains("$") && !name.contains("-"))
                        .map(name -> load(exported + "." + name.substring(0, name.length() - 6)))
                        .filter(type -> Modifier.isPublic(type.getModifiers()))
                        .forEach(types::add);
            }
        }
        types.sort(Comparator.comparing(Class::getName));
        return types;
    }

    /** The packages that a module exports to everybody. */
    private static List<String> exports(Path descriptor) throws IOException {
        try (InputStream in = Files.newInputStream(descriptor)) {
            return ModuleDescriptor.read(in).exports().stream()
                    .filter(exports -> !exports.isQualified())
                    .map(ModuleDescriptor.Exports::source)
                    .toList();
        }
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new LinkageError(name, e);
        }
    }
}
