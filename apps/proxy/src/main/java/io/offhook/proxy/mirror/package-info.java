/**
 * Mirroring of messages to a HEP collector, where the configuration asks for it: {@link io.offhook.proxy.mirror.MirrorConfig}
 * has the keys and starts the {@link io.offhook.hep.HepSender}, from which each lane takes a
 * {@link io.offhook.hep.HepFeed} of its own. Codec and sender are those of the module {@code hep}, which knows nothing of
 * YAML.
 */
@NullMarked
package io.offhook.proxy.mirror;

import org.jspecify.annotations.NullMarked;
