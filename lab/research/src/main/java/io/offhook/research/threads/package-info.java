/** What it costs two threads to work together, by where they run. */
@NullMarked
package io.offhook.research.threads;

import org.jspecify.annotations.NullMarked;
