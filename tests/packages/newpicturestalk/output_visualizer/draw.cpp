// Draws the guesses that the output validator has left, one below the other. The output on standard input is empty.
#include <fstream>
#include <iostream>
#include <string>

int main(int, char** arguments) {
    if (std::cin.peek() != EOF) return 1;
    const std::string feedback = arguments[3];
    std::ifstream guesses(feedback + "guesses.txt");
    std::ofstream picture(feedback + "judgeimage.svg");
    picture << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 170 60'>";
    int line = 0;
    for (int guess; guesses >> guess; ++line)
        picture << "<circle r='4' cx='" << 10 * guess << "' cy='" << 10 * line + 5 << "'/>";
    picture << "</svg>\n";
}
