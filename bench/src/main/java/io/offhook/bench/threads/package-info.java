/** What it costs two threads to work together, by where they run. */
@NullMarked
package io.offhook.bench.threads;

import org.jspecify.annotations.NullMarked;
