package io.offhook.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.Parser;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Parses YAML 1.2 to nodes with their places, from the parser's events. Types, tags and classes of YAML are not
 * interpreted.
 */
final class YamlTree {
    /** The longest file, in characters. */
    static final int MAX_CHARACTERS = 4 << 20;

    static final int MAX_DEPTH = 32;

    /** The most values of a file, including those that aliases repeat. */
    static final int MAX_VALUES = 500_000;

    private final String source;
    private final ConfigFaults faults;
    private final Parser parser;
    private final Map<Anchor, ConfigNode> anchors = new HashMap<>();

    private YamlTree(String text, String source, ConfigFaults faults) {
        this.source = source;
        this.faults = faults;
        LoadSettings settings =
                LoadSettings.builder().setCodePointLimit(MAX_CHARACTERS).build();
        parser = new ParserImpl(settings, new StreamReader(settings, text));
    }

    /** Parses the only document of a file; faults are added to {@code faults}. */
    static ConfigNode read(String text, String source, ConfigFaults faults) {
        ConfigNode.Mark start = new ConfigNode.Mark(source, 1, 1);
        try {
            ConfigNode node = new YamlTree(text, source, faults).document(start);
            return node instanceof ConfigNode.Scalar scalar && scalar.isAbsent()
                    ? ConfigNode.Mapping.empty(start)
                    : node;
        } catch (TooMuchException e) {
            faults.add(e.mark.at(""), e.text);
        } catch (MarkedYamlEngineException e) {
            ConfigNode.Mark mark =
                    e.getProblemMark().map(at -> mark(source, at)).orElse(start);
            faults.add(mark.at(""), "invalid YAML: " + e.getProblem());
        } catch (YamlEngineException e) {
            faults.add(start.at(""), "invalid YAML: " + e.getMessage());
        }
        return ConfigNode.Mapping.empty(start);
    }

    /** A limit is exceeded: the rest of the file is not read. */
    private static final class TooMuchException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient ConfigNode.Mark mark;
        private final String text;

        TooMuchException(ConfigNode.Mark mark, String text) {
            super(text);
            this.mark = mark;
            this.text = text;
        }
    }

    private ConfigNode document(ConfigNode.Mark start) {
        parser.next(); // start of the stream
        if (parser.checkEvent(Event.ID.StreamEnd)) {
            return ConfigNode.Mapping.empty(start);
        }
        parser.next(); // start of the document
        ConfigNode root = node(0);
        parser.next(); // end of the document
        if (!parser.checkEvent(Event.ID.StreamEnd)) {
            faults.add(mark(parser.peekEvent()).at(""), "a second document; the limit is one");
        }
        return root;
    }

    private ConfigNode node(int depth) {
        Event event = parser.next();
        ConfigNode.Mark mark = mark(event);
        if (depth > MAX_DEPTH) {
            throw new TooMuchException(mark, "nested deeper than " + MAX_DEPTH + " levels");
        }
        if (event instanceof AliasEvent alias) {
            return alias(alias, mark);
        }
        ConfigNode node = switch (event) {
            case ScalarEvent scalar -> new ConfigNode.Scalar(scalar.getValue(), scalar.isPlain(), mark);
            case SequenceStartEvent _ -> sequence(mark, depth);
            case MappingStartEvent _ -> mapping(mark, depth);
            default -> throw new IllegalStateException("internal error: unexpected YAML event " + event);
        };
        Optional<Anchor> anchor = ((NodeEvent) event).getAnchor();
        if (anchor.isPresent()) {
            anchors.put(anchor.get(), node);
        }
        return node;
    }

    private ConfigNode alias(AliasEvent alias, ConfigNode.Mark mark) {
        @Nullable ConfigNode node = anchors.get(alias.getAlias());
        if (node == null) {
            // an anchor inside its own value is not known yet, either
            faults.add(mark.at(""), "there is no anchor &" + alias.getAlias() + " before this alias");
            return new ConfigNode.Scalar("", true, mark);
        }
        return node;
    }

    private ConfigNode sequence(ConfigNode.Mark mark, int depth) {
        List<ConfigNode> items = new ArrayList<>();
        long size = 1;
        while (!parser.checkEvent(Event.ID.SequenceEnd)) {
            ConfigNode item = node(depth + 1);
            items.add(item);
            size = checked(size + item.size(), mark);
        }
        parser.next();
        return new ConfigNode.Sequence(items, mark, size);
    }

    private ConfigNode mapping(ConfigNode.Mark mark, int depth) {
        Map<String, ConfigNode.Entry> entries = new LinkedHashMap<>();
        long size = 1;
        while (!parser.checkEvent(Event.ID.MappingEnd)) {
            ConfigNode key = node(depth + 1);
            ConfigNode value = node(depth + 1);
            size = checked(size + key.size() + value.size(), mark);
            if (!(key instanceof ConfigNode.Scalar name)) {
                faults.add(key.mark().at(""), "a key must be text");
                continue;
            }
            ConfigNode.Entry before = entries.get(name.text());
            if (before == null) {
                entries.put(name.text(), new ConfigNode.Entry(key.mark(), value));
            } else {
                faults.add(
                        key.mark().at(name.text()),
                        "is repeated; line " + before.keyMark().line() + " has it already");
            }
        }
        parser.next();
        return new ConfigNode.Mapping(entries, mark, size);
    }

    private static long checked(long size, ConfigNode.Mark mark) {
        if (size > MAX_VALUES) {
            throw new TooMuchException(mark, "more than " + MAX_VALUES + " values, with what aliases repeat");
        }
        return size;
    }

    private ConfigNode.Mark mark(Event event) {
        return event.getStartMark().map(at -> mark(source, at)).orElse(new ConfigNode.Mark(source, 1, 1));
    }

    private static ConfigNode.Mark mark(String source, Mark at) {
        return new ConfigNode.Mark(source, at.getLine() + 1, at.getColumn() + 1);
    }
}
