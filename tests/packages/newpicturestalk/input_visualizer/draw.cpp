// Draws the secret number on a line from 1 to 16.
#include <fstream>

int main(int, char** arguments) {
    int secret = 0;
    std::ifstream(arguments[1]) >> secret;
    std::ofstream("testcase.svg") << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 170 20'>"
                                  << "<path d='M5 10H165' stroke='black'/><circle cy='10' r='4' cx='" << 10 * secret
                                  << "'/></svg>\n";
}
