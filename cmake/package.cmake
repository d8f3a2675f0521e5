# cmake --install and the Debian package (cpack in a build folder).
install(TARGETS railyard RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY scenarios DESTINATION ${CMAKE_INSTALL_DATADIR}/railyard FILES_MATCHING PATTERN "*.toml")
if(TARGET railyard_python)
  install(TARGETS railyard_python LIBRARY DESTINATION lib/python3/dist-packages/railyard)
  install(DIRECTORY python/railyard DESTINATION lib/python3/dist-packages FILES_MATCHING PATTERN "*.py")
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3")
  set(suggests "python3-pandas, ")  # for frames alone; what it recommends in turn is half of scientific Python
endif()
# MPI in a package of its own, so that railyard itself needs none.
if(TARGET railyard_mpi)
  install(TARGETS railyard_mpi LIBRARY DESTINATION lib/railyard COMPONENT mpi)
endif()
install(FILES integrations/deploy/railyard.service DESTINATION lib/systemd/system)  # systemctl enable --now railyard
# Dashboards, alerts and runbooks; and the documents with their pictures, traces and scenarios, linked as they are here.
install(DIRECTORY integrations DESTINATION ${CMAKE_INSTALL_DATADIR}/railyard)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN "__pycache__" EXCLUDE)

# Completion scripts are printed by the program itself.
set(completions "${PROJECT_BINARY_DIR}/completions")
file(MAKE_DIRECTORY "${completions}")
foreach(shell bash zsh fish)
  add_custom_command(
    OUTPUT "${completions}/railyard.${shell}"
    COMMAND railyard completion ${shell} > "${completions}/railyard.${shell}"
    DEPENDS railyard VERBATIM)
  list(APPEND completion_files "${completions}/railyard.${shell}")
endforeach()
add_custom_target(completions ALL DEPENDS ${completion_files})
install(FILES "${completions}/railyard.bash" DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME railyard)
install(FILES "${completions}/railyard.zsh" DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions RENAME _railyard)
install(FILES "${completions}/railyard.fish" DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME railyard)
set(CPACK_PACKAGE_CONTACT "The Railyard team <railyard@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
if(TARGET railyard_mpi)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_COMPONENTS_GROUPING IGNORE)
  set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME railyard)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME railyard-mpi)
  set(CPACK_DEBIAN_MPI_DESCRIPTION "What railyard loads under mpirun (Open MPI)")
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "railyard (= ${PROJECT_VERSION}), openmpi-bin")
  set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SUGGESTS "${suggests}railyard-mpi")
endif()
include(CPack)
