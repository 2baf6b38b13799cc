package @PACKAGE@

// Comes before everything of the solution.
import _ "@MODULE@/graderunits/guard"

// GraderUnits is there to be named by tests that use nothing else of the solution.
type GraderUnits struct{}
