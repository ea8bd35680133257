package io.offhook.cluster.codec;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Compares a schema with an earlier one, by the rules in its head. */
final class SchemaGuard {
    private final List<String> faults = new ArrayList<>();

    private SchemaGuard() {}

    /** What a later schema does that it must not. */
    static List<String> faults(FileDescriptorProto earlier, FileDescriptorProto later) {
        SchemaGuard guard = new SchemaGuard();
        if (!earlier.getPackage().equals(later.getPackage())) {
            guard.faults.add("package " + earlier.getPackage() + " is " + later.getPackage());
        }
        Map<String, DescriptorProto> messages = new TreeMap<>();
        Map<String, EnumDescriptorProto> enums = new TreeMap<>();
        collect("", later.getMessageTypeList(), later.getEnumTypeList(), messages, enums);
        Map<String, DescriptorProto> earlierMessages = new TreeMap<>();
        Map<String, EnumDescriptorProto> earlierEnums = new TreeMap<>();
        collect("", earlier.getMessageTypeList(), earlier.getEnumTypeList(), earlierMessages, earlierEnums);
        earlierMessages.forEach((name, message) -> guard.message(name, message, messages.get(name)));
        earlierEnums.forEach((name, type) -> guard.values(name, type, enums.get(name)));
        return guard.faults;
    }

    private static void collect(
            String home,
            List<DescriptorProto> from,
            List<EnumDescriptorProto> enumsFrom,
            Map<String, DescriptorProto> messages,
            Map<String, EnumDescriptorProto> enums) {
        enumsFrom.forEach(type -> enums.put(home + type.getName(), type));
        for (DescriptorProto message : from) {
            String name = home + message.getName();
            messages.put(name, message);
            collect(name + ".", message.getNestedTypeList(), message.getEnumTypeList(), messages, enums);
        }
    }

    private void message(String name, DescriptorProto earlier, @Nullable DescriptorProto later) {
        if (later == null) {
            faults.add(name + " is gone");
            return;
        }
        for (FieldDescriptorProto field : earlier.getFieldList()) {
            Optional<FieldDescriptorProto> same = later.getFieldList().stream()
                    .filter(other -> other.getNumber() == field.getNumber())
                    .findAny();
            String where = name + "." + field.getName();
            if (same.isPresent()) {
                field(where, field, earlier, same.get(), later);
            } else if (later.getReservedRangeList().stream()
                            .noneMatch(range ->
                                    range.getStart() <= field.getNumber() && field.getNumber() < range.getEnd())
                    || !later.getReservedNameList().contains(field.getName())) {
                faults.add(where + " is gone, and its number and name are not reserved");
            }
        }
        boolean isClosed = name.equals("Address") || name.equals("StreamId");
        if (isClosed && earlier.getFieldCount() != later.getFieldCount()) {
            faults.add(name + " has changed");
        }
        if (name.equals("Event")) {
            bodies(later);
        }
    }

    private void field(
            String where,
            FieldDescriptorProto earlier,
            DescriptorProto earlierHome,
            FieldDescriptorProto later,
            DescriptorProto laterHome) {
        if (!earlier.getName().equals(later.getName())) {
            faults.add(where + " is named " + later.getName());
        }
        if (earlier.getType() != later.getType() || !earlier.getTypeName().equals(later.getTypeName())) {
            faults.add(where + " has another type");
        }
        if (earlier.getLabel() != later.getLabel() || earlier.getProto3Optional() != later.getProto3Optional()) {
            faults.add(where + " has another label");
        }
        if (!oneof(earlier, earlierHome).equals(oneof(later, laterHome))) {
            faults.add(where + " is in another oneof");
        }
    }

    private static String oneof(FieldDescriptorProto field, DescriptorProto home) {
        return field.hasOneofIndex() && !field.getProto3Optional()
                ? home.getOneofDecl(field.getOneofIndex()).getName()
                : "";
    }

    private void bodies(DescriptorProto event) {
        for (FieldDescriptorProto field : event.getFieldList()) {
            boolean isBody = oneof(field, event).equals("body");
            if (isBody != (field.getNumber() >= 10 && field.getNumber() <= 99)) {
                faults.add("Event." + field.getName() + " is a body, or has the number of one");
            }
        }
    }

    private void values(String name, EnumDescriptorProto earlier, @Nullable EnumDescriptorProto later) {
        if (later == null) {
            faults.add(name + " is gone");
            return;
        }
        for (EnumValueDescriptorProto value : earlier.getValueList()) {
            boolean isThere = later.getValueList().stream()
                    .anyMatch(other -> other.getNumber() == value.getNumber()
                            && other.getName().equals(value.getName()));
            boolean isReserved = later.getReservedRangeList().stream()
                            .anyMatch(range ->
                                    range.getStart() <= value.getNumber() && value.getNumber() <= range.getEnd())
                    && later.getReservedNameList().contains(value.getName());
            if (!isThere && !isReserved) {
                faults.add(name + "." + value.getName() + " has another number or name, or is gone");
            }
        }
    }
}
