/**
 * Mirroring of messages to a HEP collector, where the configuration asks for it: {@link io.offhook.proxy.mirror.MirrorConfig}
 * has the keys and starts a {@link io.offhook.proxy.mirror.Mirror}, whose watcher of each lane copies into a
 * {@link io.offhook.hep.HepFeed}. Codec and sender are those of the module {@code hep}, which knows nothing of YAML.
 */
@NullMarked
package io.offhook.proxy.mirror;

import org.jspecify.annotations.NullMarked;
