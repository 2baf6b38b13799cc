import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SumsTest {
    @Test
    void seven() {
        assertEquals(28, Sums.sumTo(7));
    }

    // points: 2
    @Test
    void largest() {
        assertEquals(500500, Sums.sumTo(1000));
    }
}
