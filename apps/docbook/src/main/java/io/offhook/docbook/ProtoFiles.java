package io.offhook.docbook;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The files of a request as linked descriptors, in which types are resolved and features of editions inherited.
 *
 * @param files those to be documented, in the order in which protoc was given them
 */
record ProtoFiles(List<FileDescriptor> files) {
    /** @throws DescriptorValidationException if a file is not consistent, which protoc checks before it asks */
    static ProtoFiles of(CodeGeneratorRequest request) throws DescriptorValidationException {
        Map<String, FileDescriptor> linked = new LinkedHashMap<>();
        // each file comes after those that it imports
        for (FileDescriptorProto file : request.getProtoFileList()) {
            List<FileDescriptor> imports = new ArrayList<>();
            for (String name : file.getDependencyList()) {
                imports.add(Objects.requireNonNull(linked.get(name), name));
            }
            linked.put(file.getName(), FileDescriptor.buildFrom(file, imports.toArray(FileDescriptor[]::new), false));
        }
        List<FileDescriptor> files = new ArrayList<>();
        for (String name : request.getFileToGenerateList()) {
            files.add(Objects.requireNonNull(linked.get(name), name));
        }
        return new ProtoFiles(List.copyOf(files));
    }

    /** The files by their package, packages by name. */
    Map<String, List<FileDescriptor>> byPackage() {
        Map<String, List<FileDescriptor>> packages = new TreeMap<>();
        for (FileDescriptor file : files) {
            packages.computeIfAbsent(file.getPackage(), _ -> new ArrayList<>()).add(file);
        }
        return packages;
    }
}
