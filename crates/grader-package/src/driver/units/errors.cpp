// Exceptions that cross the border as themselves, the classes that extend others first. An exception of any other class crosses
// as the first of these that it extends.
#include <exception>
#include <new>
#include <stdexcept>
#include <typeinfo>
#include <variant>

namespace grader_driver {

template <class... E> struct Errors {};

/// Made from their words.
using Said = Errors<std::invalid_argument, std::domain_error, std::length_error, std::out_of_range, std::logic_error,
    std::range_error, std::overflow_error, std::underflow_error, std::runtime_error>;
/// Made of nothing.
using Silent = Errors<std::bad_array_new_length, std::bad_alloc, std::bad_cast, std::bad_typeid,
    std::bad_optional_access, std::bad_variant_access, std::bad_exception>;

/// Any other exception of the standard library.
class Error : public std::exception {
    std::string words;

public:
    explicit Error(std::string said) : words(std::move(said)) {}
    const char* what() const noexcept override { return words.c_str(); }
};

/// What was thrown is no exception of the standard library, no integer and no text.
struct Unknown {};

}  // namespace grader_driver

