// Compares outputs by tokens, as the default output validator of the problem package format does.
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string>

#include "testlib.h"

const bool CASE_SENSITIVE = @CASE@;
// Negative: no tolerance.
const double RELATIVE = @RELATIVE@, ABSOLUTE = @ABSOLUTE@;

bool number(const std::string &token, double &value) {
    if (token.find_first_not_of("+-.0123456789eE") != std::string::npos) return false;
    char *end = nullptr;
    value = std::strtod(token.c_str(), &end);
    return end == token.c_str() + token.size();
}

bool same(std::string output, std::string answer) {
    double value, wanted;
    if ((RELATIVE >= 0 || ABSOLUTE >= 0) && number(answer, wanted)) {
        if (!number(output, value)) return false;
        double distance = std::fabs(value - wanted);
        return value == wanted || distance <= ABSOLUTE || (RELATIVE >= 0 && distance <= RELATIVE * std::fabs(wanted));
    }
    if (!CASE_SENSITIVE) {
        for (char &c : output) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        for (char &c : answer) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return output == answer;
}

int main(int argc, char *argv[]) {
    registerTestlibCmd(argc, argv);
    int count = 0;
    while (!ans.seekEof()) {
        ++count;
        std::string answer = ans.readToken();
        if (ouf.seekEof()) quitf(_wa, "the output ends before token %d", count);
        std::string output = ouf.readToken();
        if (!same(output, answer)) quitf(_wa, "token %d differs", count);
    }
    if (!ouf.seekEof()) quitf(_wa, "the output has more than %d tokens", count);
    quitf(_ok, "%d tokens", count);
}
