package io.offhook.library;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The sources that these tests are part of. */
public final class Checkout {
    /** Tests run in the folder of their module, two below it. */
    public static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    /** Modules that are never a production dependency. */
    private static final String LAB = "lab";

    /** Not "exports a.b to c". */
    private static final Pattern EXPORTS = Pattern.compile("(?m)^\\s+exports ([\\w.]+);");

    private Checkout() {}

    /** The folders of the product's modules, ROOT/FOLDER/MODULE, in order. */
    public static List<Path> modules() throws IOException {
        List<Path> modules = new ArrayList<>();
        try (Stream<Path> folders = Files.list(ROOT)) {
            for (Path folder : folders.filter(Files::isDirectory).sorted().toList()) {
                if (!folder.endsWith(LAB)) {
                    try (Stream<Path> found = Files.list(folder)) {
                        found.filter(module -> Files.exists(descriptor(module)))
                                .sorted()
                                .forEach(modules::add);
                    }
                }
            }
        }
        return modules;
    }

    /** The module-info.java of a module. */
    public static Path descriptor(Path module) {
        return module.resolve("src/main/java/module-info.java");
    }

    /** Every module that has a descriptor, those of the lab too, in order. */
    public static List<Path> allModules() throws IOException {
        List<Path> modules = new ArrayList<>(modules());
        try (Stream<Path> lab = Files.list(ROOT.resolve(LAB))) {
            lab.filter(module -> Files.exists(descriptor(module))).sorted().forEach(modules::add);
        }
        return modules;
    }

    /** The folders of the packages that a module exports to everybody, in order; the first is that of the module. */
    public static List<Path> exportedPackages(Path module) throws IOException {
        Path descriptor = descriptor(module);
        return EXPORTS.matcher(Files.readString(descriptor))
                .results()
                .map(match -> descriptor.resolveSibling(match.group(1).replace('.', '/')))
                .toList();
    }
}
