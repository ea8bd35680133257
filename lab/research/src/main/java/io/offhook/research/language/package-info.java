/** The same small work on 100,000 packets by C, by Java, and by Java that calls C. */
@NullMarked
package io.offhook.research.language;

import org.jspecify.annotations.NullMarked;
