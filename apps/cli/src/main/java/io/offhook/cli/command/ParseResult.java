package io.offhook.cli.command;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parsed arguments of a command. Accepted are {@code --name value}, {@code --name=value}, {@code -n
 * value}, {@code -nvalue}, short flags in one word, options before, between and after parameters, and {@code --} before
 * parameters that look like options. The last value of a repeated option applies, unless the option takes several.
 */
public final class ParseResult {
    private final CommandSpec spec;
    private final Map<String, Object> values = new HashMap<>();
    private final List<String> parameters = new ArrayList<>();

    private ParseResult(CommandSpec spec) {
        this.spec = spec;
    }

    /** @throws MisuseException if the arguments do not match the specification */
    public static ParseResult of(CommandSpec spec, String[] args) {
        ParseResult result = new ParseResult(spec);
        boolean options = true;
        for (int i = 0; i < args.length; i++) {
            String arg = args[i];
            if (!options || !isOption(arg)) {
                result.parameters.add(arg);
            } else if (arg.equals("--")) {
                options = false;
            } else {
                String next = i + 1 < args.length ? args[i + 1] : null;
                i += arg.startsWith("--") ? result.longOption(arg, next) : result.shortOptions(arg, next);
            }
        }
        if (!result.isUsageHelpRequested()) {
            result.checkParameters();
        }
        return result;
    }

    /** No option begins with a digit, so "-1" is a number or the beginning of an expression. */
    private static boolean isOption(String arg) {
        return arg.length() > 1 && arg.charAt(0) == '-' && !Character.isDigit(arg.charAt(1));
    }

    /** @return the number of following arguments consumed */
    private int longOption(String arg, @Nullable String next) {
        int equals = arg.indexOf('=');
        OptionSpec option = known(equals < 0 ? arg : arg.substring(0, equals));
        if (option.isFlag()) {
            if (equals >= 0) {
                throw new MisuseException(option.name() + " takes no value");
            }
            values.put(option.name(), true);
            return 0;
        }
        if (equals >= 0) {
            put(option, arg.substring(equals + 1));
            return 0;
        }
        put(option, needed(option, next));
        return 1;
    }

    private int shortOptions(String arg, @Nullable String next) {
        for (int i = 1; i < arg.length(); i++) {
            OptionSpec option = known("-" + arg.charAt(i));
            if (!option.isFlag()) {
                String rest = arg.substring(i + 1);
                put(option, rest.isEmpty() ? needed(option, next) : rest);
                return rest.isEmpty() ? 1 : 0;
            }
            values.put(option.name(), true);
        }
        return 0;
    }

    private OptionSpec known(String name) {
        OptionSpec option = spec.option(name);
        if (option != null) {
            return option;
        }
        String like = "";
        int common = 3;
        for (OptionSpec candidate : spec.options()) {
            int same = commonPrefix(candidate.name(), name);
            if (same > common) {
                common = same;
                like = "; did you mean " + candidate.name() + "?";
            }
        }
        throw new MisuseException("there is no option " + name + like);
    }

    private static int commonPrefix(String one, String other) {
        int length = Math.min(one.length(), other.length());
        int same = 0;
        while (same < length && one.charAt(same) == other.charAt(same)) {
            same++;
        }
        return same;
    }

    private String needed(OptionSpec option, @Nullable String next) {
        if (next == null || next.startsWith("--") && spec.option(next) != null) {
            throw new MisuseException(option.name() + " needs a value, " + option.label());
        }
        return next;
    }

    private void put(OptionSpec option, String text) {
        if (option.type() == List.class) {
            List<String> texts = new ArrayList<>(matchedOptionValue(option.name(), List.of()));
            texts.add(text);
            values.put(option.name(), texts);
        } else {
            values.put(option.name(), value(option, text));
        }
    }

    private static Object value(OptionSpec option, String text) {
        Class<?> type = option.type();
        if (type == String.class) {
            return text;
        }
        if (type.isEnum()) {
            List<String> names = new ArrayList<>();
            for (Object constant : type.getEnumConstants()) {
                if (constant.toString().equals(text.toLowerCase(Locale.ROOT))) {
                    return constant;
                }
                names.add(constant.toString());
            }
            throw new MisuseException(option.name() + " " + text + " is not one of " + String.join(", ", names));
        }
        try {
            long number = Long.parseLong(text);
            return type == Integer.class ? (Object) Math.toIntExact(number) : (Object) number;
        } catch (NumberFormatException | ArithmeticException e) {
            throw new MisuseException(option.name() + " " + text + " is not a whole number in range");
        }
    }

    private void checkParameters() {
        List<CommandSpec.Parameter> wanted = spec.parameters();
        for (OptionSpec instead : spec.instead()) {
            if (hasMatchedOption(instead.name())) {
                if (!parameters.isEmpty()) {
                    throw new MisuseException(
                            parameters.getFirst() + " and " + instead.names().getFirst() + " cannot be combined: "
                                    + wanted.getFirst().label() + " is for reading files, "
                                    + instead.names().getFirst() + " for live capture");
                }
                return;
            }
        }
        int required = wanted.size() - (!wanted.isEmpty() && wanted.getLast().optional() ? 1 : 0);
        if (parameters.size() < required) {
            throw new MisuseException(wanted.get(parameters.size()).label() + " is missing");
        }
        boolean open = !wanted.isEmpty() && wanted.getLast().repeated();
        if (parameters.size() > wanted.size() && !open) {
            throw new MisuseException(parameters.get(wanted.size()) + " is one argument too many");
        }
    }

    public boolean isUsageHelpRequested() {
        return hasMatchedOption("--help");
    }

    /** Whether an option was given, by its identifying name. */
    public boolean hasMatchedOption(String name) {
        return values.containsKey(name);
    }

    /** The value of an option, of its declared type; {@code otherwise} if it was not given. */
    @SuppressWarnings("unchecked")
    public <T> T matchedOptionValue(String name, T otherwise) {
        Object value = values.get(name);
        return value == null ? otherwise : (T) value;
    }

    /** The value of an option; null if it was not given. */
    public <T> @Nullable T optionValue(String name, Class<T> type) {
        return type.cast(values.get(name));
    }

    /** The parameter at an index, which must not be that of the repeated parameter. */
    public String parameter(int index) {
        return parameters.get(index);
    }

    /** The parameters from an index on. */
    public List<String> parametersFrom(int index) {
        return List.copyOf(parameters.subList(index, parameters.size()));
    }
}
